"""What a mechanism is: pure data."""
