"""Every page and state of the product, written once: for the browser tests and for screenshots."""
