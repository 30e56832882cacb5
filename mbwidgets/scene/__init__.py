"""The picture of a mechanism in three dimensions, and the player that moves it in the page."""
