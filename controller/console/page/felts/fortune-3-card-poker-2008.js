// The felt of Fortune 3 Card Poker by the rules of 2008, which is that of 2025.

export { default } from "./fortune-3-card-poker-2025.js";
