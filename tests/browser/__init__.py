"""In a real browser; a package, so that what all its files share ends with the last of them."""
