"""What ``add_graph`` and its relatives write, before it is written.

    nodes              nodes as plain records, and the GraphDef made of them
    torch_models       from a torch model and an input to nodes, with the help of
        module_tree        where modules and parameters live, and what is said about them
        model_state        one forward pass that leaves the model as it was
        recorder           calls of modules and operations, seen during that pass
        tensor_trees       the tensors inside dicts, data classes and the like
    onnx_files         from an ONNX file to nodes

Nothing here imports a framework: a model brings its own, and files are decoded by us.
"""
