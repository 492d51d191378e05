"""The tests of which faults are survived; a package, so that the product that all its files share ends with the last of
them."""
