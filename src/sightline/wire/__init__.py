"""The HTTP contract: what travels between server and page, and the table of routes it travels by.

routes         what a route and a dashboard is         schemas            requests and answers as types
tensorboard    the same of TensorBoard's interface     value_schemas      how requests name values
frame          columns of numbers as binary answers    workspace_schemas  what people add to a log
structs, text, numbers, file_names   on the way out    openapi            the document made from all of it
"""
