"""What survives which fault; a package, so that the product that all its files share ends with the last of them."""
