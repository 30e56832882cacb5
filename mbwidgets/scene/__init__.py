"""The picture of a mechanism in three dimensions, and the player that moves it in the page.

Rooms: `stage` above `page` and `quantities`, and `look` below. Of the package it may import `numeric` and what lies
below.
"""
