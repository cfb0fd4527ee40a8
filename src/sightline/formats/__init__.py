"""Bytes to messages to typed values, and back.

Pure functions over bytes: no files, no threads. The way down, one module per step:

    records                             framing of an event file
    varints, wire_types, wire           the protobuf wire; messages declared as classes
    messages, plugin_messages, graph_messages      the messages of the format
    tensors, small_floats               TensorProto ↔ NumPy
    struct_values                       hyper-parameters ↔ Python values
    tables                              JSON of our own kinds: tables, figures, confusion matrices
    sniff                               facts from the headers of images and sounds
    items, values                       what a user gets for one value, and how it is made from bytes
    projector                           projector_config.pbtxt

We carry our own small codec instead of depending on protobuf: version conflicts between protobuf, TensorFlow
and training code are a frequent complaint, and the writer lives in other people's processes.
"""
