"""The benchmarks of `make bench`: each a ratio measured within one run, and none of the product."""
