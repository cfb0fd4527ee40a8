"""Encoded pictures, films and sounds → what a page can show: thumbnails, pixels, frames, peaks.

Everything that comes in is hostile: headers are looked at before anything is decoded, and time and memory
are bounded by limits that are named in these modules. What cannot be shown is a MediaError with a sentence
that can stand in the picture's place.
"""
