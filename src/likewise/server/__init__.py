"""The server: accounts, an API, and jobs that survive.

`app.make_app` puts it together; `likewise serve` and `likewise worker` run it. Everything a server
knows stands in the library's database, so that any number of servers and workers share it.
"""
