"""The HTTP contract: what travels between server and page, and the table of routes it travels by.

schemas   requests and answers as types        openapi   the document made from schemas and routes
frame     many series as one binary answer     numbers   what JSON has no number for
routes    what a route is, for the server      text      what UTF-8 has no bytes for
          and for dashboards                   file_names  of what browsers save
"""
