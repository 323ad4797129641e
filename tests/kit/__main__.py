"""Prints which assertion of the compatibility kit notices which planted defect: `python -m tests.kit`."""

from tests.kit.matrix import lines

if __name__ == "__main__":
    print("\n".join(lines()))
