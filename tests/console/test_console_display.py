"""The players' display in a browser: nothing overlaps or is cut off, the pot never runs ahead, wins are marked."""

import itertools
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from controller.words import SPOKEN
from tests.console.displayed import TABLES, Shown, displayed, show, stages_of
from tests.console.layout import DRAWN, NOTHING_WRONG, faults_of_layout
from tests.console.tapping import AXE, VIOLATED, WCAG
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO

SIZES = ((1920, 1080), (1080, 1920), (1280, 720), (1280, 800), (390, 844))
HIGHEST = 9_999_999_999  # 99,999,999.99
COUNTED = """() => [...document.querySelectorAll('.strip')].reduce((sum, strip) => {
  const turned = -new DOMMatrix(strip.style.transform === '' ? 'none' : getComputedStyle(strip).transform).m42;
  return sum * 10 + Math.floor(turned / (strip.getBoundingClientRect().height / 11) + 1e-3);
}, 0)"""


# The table of 2008 has what that of 2025 has, without a pot.
@pytest.fixture(
    params=[pytest.param(game, marks=pytest.mark.soak if game == FORTUNE_3_2008 else ()) for game in TABLES]
)
def stages(request: pytest.FixtureRequest) -> dict[str, Shown]:
    return stages_of(request.param)


# Portuguese has the longest words: the test of the highest amounts shows them.
@pytest.mark.parametrize(
    "language", [pytest.param(code, marks=() if code == "zh" else pytest.mark.soak) for code in SPOKEN]
)
def test_no_two_texts_overlap_nothing_is_cut_off_and_axe_finds_nothing(
    browser: Browser, stages: dict[str, Shown], language: str
) -> None:
    wrong: dict[object, object] = {}
    with displayed(browser, stages["bets"], SIZES[0], language, still=True) as page:
        page.evaluate(AXE)
        for stage, shown in stages.items():
            show(page, shown)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate(DRAWN)
                if (found := faults_of_layout(page, "main")) != NOTHING_WRONG:
                    wrong[stage, width, height] = found
            if stage in ("bets", "result") and (violated := page.evaluate(VIOLATED, WCAG)):
                wrong[stage] = violated
    assert not wrong


TURN = """() => `${document.documentElement.lang} ${
  [...document.querySelectorAll('.dots i')].findIndex((part) => part.className)}`"""
SPILLED = """() => [...document.querySelectorAll('.net, .called, .won-amount, .counter, .body td')].filter((part) => {
  const [text, box] = [part, part.closest('.place, section')].map((each) => each.getBoundingClientRect());
  return text.left < box.left || text.right > box.right + 1 || text.top < box.top || text.bottom > box.bottom + 1;
}).map((part) => part.textContent)"""


def at_most(shown: Shown) -> Shown:
    """The same with every amount the highest there is, lost at every other seat."""
    paid = [{**win, "amount": HIGHEST} for win in shown["paid"]]
    percent = [{**row, "amount": HIGHEST} if row["amount"] else row for row in shown["pays"]]
    nets = {seat: HIGHEST if number % 2 == 0 else -HIGHEST for number, seat in enumerate(shown["nets"])}
    limits = {wager: {"min": HIGHEST, "max": HIGHEST} for wager in shown["limits"]}
    pot, chip = shown["pot"] and HIGHEST, shown["chip"] and HIGHEST
    return {
        **shown, "exponent": 2, "paid": paid, "pays": percent, "nets": nets, "limits": limits, "pot": pot, "chip": chip
    }  # fmt: skip


# Portuguese has the longest words.
@pytest.mark.parametrize(
    "language", [pytest.param(spoken, marks=() if spoken == "pt" else pytest.mark.soak) for spoken in SPOKEN]
)
def test_the_highest_amounts_fit_their_boxes(browser: Browser, stages: dict[str, Shown], language: str) -> None:
    wrong = {}
    with displayed(browser, at_most(stages["bets"]), SIZES[0], language, still=True) as page:
        for stage in ("bets", "result"):
            show(page, at_most(stages[stage]))
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate(DRAWN)
                found = {**faults_of_layout(page, "main"), "spilled": page.evaluate(SPILLED)}
                if found != {**NOTHING_WRONG, "spilled": []}:
                    wrong[stage, width, height] = found
    assert not wrong


COURSES: list[tuple[list[tuple[str, float]], str]] = [
    # At rest: a page each ten seconds, and a language for both pages.
    ([("bets", 45)], "en0 en1 pt0 pt1 zh0"),
    # No page passes at a result, however long; the page is over ten seconds after it began to be seen.
    ([("bets", 8), ("result", 60), ("bets", 6)], "en0 en1"),
    # A page that is over stays for four seconds after a change, and goes with the next.
    ([("bets", 9), ("no_more", 3.5), ("result", 1), ("bets", 1)], "en0 en1"),
    ([("bets", 9), ("no_more", 3.5)], "en0"),
    # As fast as a simulated table may play.
    ([("bets", 1), ("no_more", 1), ("result", 1)] * 20, "en0 en1 pt0 pt1"),
]


def test_pages_and_languages_take_turns_that_leave_time_to_read(browser: Browser) -> None:
    with displayed(browser, stages_of(BLACKJACK_21)["bets"], SIZES[0]) as page:
        for course, turns in COURSES:
            found = page.evaluate(
                """async (course) => {
                  const { Turns } = await import('/display/pieces.js');
                  const turns = new Turns(['en', 'pt', 'zh']);
                  const found = [turns.language + turns.page];
                  for (const [stage, seconds] of course)
                    for (let at = 0; at <= seconds; at += 0.5)
                      if (turns.pass(at ? 0.5 : 0, stage, 2)) found.push(turns.language + turns.page);
                  return found.join(' ');
                }""",
                course,
            )
            assert found == turns, course


def test_a_page_stays_ten_seconds_and_its_language_for_the_whole_pay_table(browser: Browser) -> None:
    with displayed(browser, stages_of(FORTUNE_3_2025)["bets"], SIZES[0], "", clock=True) as page:
        page.clock.pause_at(3_600_000)
        every = [f"{language} {number}" for language in ("en", "pt", "zh-Hant-MO") for number in range(4)]
        began = every.index(page.evaluate(TURN))
        for number in range(began + 1, began + 7):
            page.clock.run_for(10_000)
            assert page.evaluate(TURN) == every[number % len(every)]


# What the strips show in each frame from now on.
RECORD = """([shown, counted]) => {
  const drawn = eval(counted);
  const record = () => { recorded.push(drawn()); requestAnimationFrame(record); };
  window.recorded = [];
  showNow(shown);
  requestAnimationFrame(record);
}"""


def drawn_while(page: Page, shown: Shown, pot: int) -> list[int]:
    """What the strips of a page whose time is the test's show in each frame of three seconds from the new pot on."""
    page.clock.pause_at(3_600_000)
    page.evaluate(RECORD, [{**shown, "pot": pot}, COUNTED])
    page.clock.run_for(3000)
    return list(page.evaluate("recorded"))


def test_the_pot_counts_up_through_amounts_between_and_is_never_above_what_is_durable(browser: Browser) -> None:
    shown = stages_of(FORTUNE_3_2025)["bets"]
    with displayed(browser, shown, SIZES[0], clock=True) as page:
        found = drawn_while(page, shown, 612_345)
    assert found[0] == 600_000 or found[0] < 612_345
    assert found == sorted(found) and max(found) == found[-1] == 612_345
    assert len({amount for amount in found if 600_000 < amount < 612_345}) > 5


def test_a_pot_that_was_won_shows_the_rest_at_once(browser: Browser) -> None:
    shown = stages_of(FORTUNE_3_2025)["bets"]
    with displayed(browser, shown, SIZES[0], clock=True) as page:
        found = drawn_while(page, shown, 500_000)
    assert set(found) <= {600_000, 500_000} and found[-1] == 500_000


def test_where_less_motion_is_preferred_nothing_moves(browser: Browser) -> None:
    shown = stages_of(FORTUNE_3_2025)
    with displayed(browser, shown["bets"], SIZES[0], clock=True, still=True) as page:
        found = drawn_while(page, shown["bets"], 612_345)
        assert set(found) <= {600_000, 612_345} and found[-1] == 612_345
        page.clock.resume()
        show(page, shown["result"])
        page.wait_for_selector(".win")
        assert page.evaluate("document.getAnimations().length") == 0


def test_a_result_is_drawn_whole_where_no_frame_comes_after_the_first(browser: Browser) -> None:
    shown = stages_of(FORTUNE_3_2025)
    with displayed(browser, shown["bets"], SIZES[0]) as page:
        page.wait_for_selector(".rehearsal", state="detached")
        drawn = page.evaluate(
            """async (shown) => {
              const [frame, places] = [requestAnimationFrame, Object.keys(shown.cards).length];
              let frames = 1;
              window.requestAnimationFrame = (drawing) => (frames-- > 0 ? frame(drawing) : 0);
              showNow(shown);
              const drawn = () => document.querySelectorAll('.place[data-place]').length;
              while (drawn() < places) await new Promise((resolve) => setTimeout(resolve, 20));
              window.requestAnimationFrame = frame;
              return drawn();
            }""",
            shown["result"],
        )
        assert drawn == len(shown["result"]["cards"])


def test_why_the_game_waits_or_a_round_is_void_is_one_line_in_the_guests_words(browser: Browser) -> None:
    stages, wrong = stages_of(FORTUNE_3_2025), {}
    why = {"code": "players_cards_seen", "values": {"cards": 2}}
    void = {**stages["result"], "stage": "void", "paid": [], "void": {"article": "17.º 1 3)", "why": why}}
    policy = {**void, "void": {"article": "policy: supervisor's void", "why": None}}
    waits = [{**stages["no_more"], "fault": fault} for fault in ("shuffler", "jam")]
    texts: list[str] = []
    with displayed(browser, stages["no_more"], SIZES[0], "pt", still=True) as page:
        assert page.query_selector(".why") is None
        for shown in (*waits, void, policy):
            show(page, shown)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate(DRAWN)
                if (found := faults_of_layout(page, "main")) != NOTHING_WRONG:
                    wrong[len(texts), width, height] = found
            texts.append(page.inner_text(".why"))
    assert texts[0] == "O jogo está interrompido: o baralhador não responde" and "presas" in texts[1]
    assert "2 cartas de jogadores" in texts[2] and texts[2].endswith("(17.º 1 3))")
    assert texts[3].startswith("(") and "policy" not in texts[3]
    assert not wrong


def test_a_result_stays_until_the_next_bets_and_the_pot_has_the_time_of_its_last_change(browser: Browser) -> None:
    stages = stages_of(BLACKJACK_21)
    with displayed(browser, stages["bets"], SIZES[0]) as page:
        here = page.evaluate("time => new Date(time).toTimeString().slice(0, 5)", stages["bets"]["pot_changed"])
        assert page.inner_text(".what").endswith(f"MOP · changed {here}")
        for stage, nets in (("result", 6), ("waiting", 6), ("bets", 0)):
            show(page, stages[stage])
            assert len(page.query_selector_all(".results .net")) == nets, stage


FANS = """place => [...document.querySelectorAll(`[data-place='${place}'] .hand`)].map((hand) => {
  const cards = [...hand.querySelectorAll('.card')].map((card) => card.getBoundingClientRect());
  return [cards[0].left, cards.at(-1).right];
})"""


def test_the_hands_of_a_split_are_apart(browser: Browser) -> None:
    result = stages_of(BLACKJACK_21)["result"]
    cards = {**result["cards"], "seat 1": "8s 3d 2c 4h · 8h 2d 9c", "seat 2": "As Td · Ah 9d · Ac 2s · Ad 3h"}
    points = [{"name": "", "points": 17}, {"name": "", "points": 19}]
    shown = {**result, "paid": [], "cards": cards, "hands": {**result["hands"], "seat 1": points, "seat 2": points * 2}}
    with displayed(browser, shown, SIZES[0]) as page:
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(DRAWN)
            assert faults_of_layout(page, "main") == NOTHING_WRONG
            for place, hands in (("seat 1", 2), ("seat 2", 4)):
                fans = page.evaluate(FANS, place)
                assert len(fans) == hands
                assert all(left[1] < right[0] for left, right in itertools.pairwise(fans)), (place, width, fans)
                box = page.locator(f"[data-place='{place}']").bounding_box()
                assert box is not None and box["x"] <= fans[0][0] and fans[-1][1] <= box["x"] + box["width"]


def test_the_screens_name_hands_together_by_their_sum_and_cards_by_their_suits(browser: Browser) -> None:
    lines = [
        {"wager": "hand", "player": "B", "outcome": "lose", "net": -2900},
        {"wager": "hand", "player": "B", "outcome": "win", "net": 2900},
        {"wager": "bet", "outcome": "void", "net": 0},
    ]
    why = {"code": "unequal_values", "values": {"cards": "As Th"}, "reason": ""}
    with displayed(browser, stages_of(BLACKJACK_21)["bets"], SIZES[0]) as page:
        texts = page.evaluate(
            """async ([lines, why]) => {
              const { station } = await import('/page/station.js');
              const { lineOf, outcomeText } = await import('/page/parts/felt.js');
              const { reason } = await import('/page/language.js');
              station.table = { round: { lines: { 1: lines } } };
              return [outcomeText(lineOf(1, 'hand')), outcomeText(lineOf(1, 'bet')), reason(why)];
            }""",
            [lines, why],
        )
        assert texts == ["push", "void", "A♠ 10♥ have unequal values"]


def test_art_16_1_a_win_is_named_by_its_article_and_its_row_is_marked_with_the_seat(browser: Browser) -> None:
    with displayed(browser, stages_of(FORTUNE_3_2025)["result"], SIZES[0]) as page:
        lines = page.inner_text(".hand-won").split("\n")
        assert lines == ["Seat 1", "Straight flush", "Pair Plus · 40 : 1 · 16.º 1 1)"]
        assert "+20,000" in page.inner_text(".won-amount")
        hits = page.eval_on_selector_all(".hit", "rows => rows.map((row) => row.innerText.replace(/\\s+/g, ' '))")
        assert "Straight flush 1 40 : 1" in hits


@pytest.mark.parametrize(
    ("game", "each", "count"), [(BLACKJACK_21, ".past li", 10), (FORTUNE_8, ".road[data-count='70']", 1)]
)
def test_the_last_rounds_are_there_where_the_table_shows_them_and_nowhere_else(
    browser: Browser, game: str, each: str, count: int
) -> None:
    shown = stages_of(game)["bets"]
    with displayed(browser, shown, SIZES[0]) as page:
        assert len(page.query_selector_all(each)) == count
        show(page, {**shown, "past": None})
        page.wait_for_selector(".past", state="detached")


def before_of(*rounds: str) -> list[dict[str, Any]]:
    """Rounds of Fortune 8 as the display gets them, by their cards; one without any is void."""
    return [
        {
            "round": number, "void": not cards, "points": None, "won": 0, "lost": 0,
            "cards": {f"seat {seat}": [card] for seat, card in enumerate(cards.split(), start=1)},
        }
        for number, cards in enumerate(rounds, start=1)
    ]  # fmt: skip


def test_the_road_has_each_card_in_the_order_of_the_deal_and_marks_the_last_round(browser: Browser) -> None:
    shown = {**stages_of(FORTUNE_8)["bets"], "past": before_of("2c 7d 8h", "", "Ac 9d 3s")}
    with displayed(browser, shown, SIZES[0], "zh") as page:
        beads = page.eval_on_selector_all(
            ".road .grid i",
            """all => all.map(({ dataset, style, classList }) =>
              [dataset.box, style.gridColumn, style.gridRow, classList.contains('last')].join(' '))""",
        )
        low, high = ["low 1 1 false", "low 1 2 false"], ["high 3 1 true", "high 3 2 true"]
        assert beads == [*low, "eight 2 1 false", *high, "low 4 1 true"]
        assert page.get_attribute(".road .grid", "aria-label") == "L 小 3, 8 1, H 大 2"


RUNS = {
    "LLHLL": "00 01 10 20 21",
    "LLLLLLLL": "00 01 02 03 04 05 15 25",
    "LLLLLLLLHHHHHHH": "00 01 02 03 04 05 15 25 10 11 12 13 14 24 34",
    "LLLLLLLHHHHHHHLLLLLL": "00 01 02 03 04 05 15 10 11 12 13 14 24 34 20 21 22 23 33 43",
}


def test_a_run_turns_right_where_its_column_ends_or_another_run_is_below(browser: Browser) -> None:
    with displayed(browser, stages_of(FORTUNE_8)["bets"], SIZES[0]) as page:
        for outcomes, cells in RUNS.items():
            found = page.evaluate(
                """async (outcomes) => (await import('/display/results.js')).laidOut(outcomes)
                  .map(({ column, row }) => `${column}${row}`)""",
                list(outcomes),
            )
            assert found == cells.split() and len(set(found)) == len(outcomes)


def test_a_road_longer_than_the_screen_keeps_its_newest_columns(browser: Browser) -> None:
    shown = {**stages_of(FORTUNE_8)["bets"], "past": before_of(*["2c Kd 2h Ks 2d Kc 2s", "Kd 2c Kh 2s Kc 2d Ks"] * 5)}
    with displayed(browser, shown, SIZES[1]) as page:
        assert faults_of_layout(page, "main") == NOTHING_WRONG
        columns = page.eval_on_selector_all(".road .grid i", "all => all.map((part) => Number(part.style.gridColumn))")
        assert columns == list(range(1, 37))
        inside = page.eval_on_selector_all(
            ".road .grid i", "all => all.every((part) => part.getBoundingClientRect().right <= innerWidth)"
        )
        assert inside


def test_the_banker_is_marked_and_tiles_are_drawn(browser: Browser) -> None:
    with displayed(browser, stages_of(TAIWAN_PAI_KAO)["result"], SIZES[1], "zh") as page:
        assert page.get_attribute(".place.banker", "data-place") == "seat 1"
        assert len(page.query_selector_all(".place svg.tile")) == 32


def test_cards_are_three_times_as_high_as_the_least_text(browser: Browser) -> None:
    with displayed(browser, stages_of(BLACKJACK_21)["result"], SIZES[0]) as page:
        heights: list[Any] = page.eval_on_selector_all(".card", "all => all.map((part) => part.offsetHeight)")
        assert min(heights) >= 3 * 0.04 * SIZES[0][1]


def test_a_long_name_of_a_hand_gets_smaller_and_not_the_cards(browser: Browser) -> None:
    shown = stages_of(FORTUNE_3_2025)["result"]
    with displayed(browser, {**shown, "bank_plays": False}, SIZES[0], "pt") as page:
        place, card = (
            page.locator(f"#display [data-place=bank]{part}").first.bounding_box() for part in ("", " .card")
        )
        assert place and card and card["height"] >= 0.3 * place["height"]
