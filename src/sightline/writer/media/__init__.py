"""Pictures, films and the projector's files: arrays in, bytes out. No writer is known here."""
