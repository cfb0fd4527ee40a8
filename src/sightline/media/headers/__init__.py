"""What encoded pictures say of themselves, by format: read from their headers, nothing is decoded.

The walks over chunks, blocks and segments end at a number of steps that no honest file reaches, so that time
is bounded by more than the size of the file. Damage behind what they look for is not their business.
"""
