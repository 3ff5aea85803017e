"""Rules, what they report, and the engine that asks them."""
