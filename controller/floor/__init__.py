"""What the floor sees: topics, messages, and the client that brings them there in order."""
