"""What several dashboards need: the one part of this package that each of them may import.

context       what handlers see of the server    kind_tags           tags of a kind, run by run
named_values  the value that a request names     descriptions        logged Markdown as safe HTML
thumbnails    small pictures, made once          tensorboard_blobs   pictures and sounds, as TensorBoard asks
                                                 tensorboard_points  points of scalars, as TensorBoard asks
"""
