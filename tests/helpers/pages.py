"""HTML pages, parsed as by a browser."""

import shutil
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "img"}


class Page(HTMLParser):
    """
    The elements of a page, `(name, attributes, text inside)`, in the order of their end tags. Fails if one is not
    closed.
    """

    def __init__(self, text):
        super().__init__()
        self.elements = []
        self._open = []
        self.feed(text)
        self.close()
        assert not self._open, self._open

    def handle_starttag(self, tag, attributes):
        if tag in VOID:
            self.elements.append((tag, dict(attributes), ""))
        else:
            self._open.append([tag, dict(attributes), ""])

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes), ""))

    def handle_data(self, data):
        for element in self._open:
            element[2] += data

    def handle_endtag(self, tag):
        element = self._open.pop()
        assert element[0] == tag, (element, tag)
        self.elements.append(tuple(element))

    def find(self, name, **attributes):
        """Returns the elements with a name and some attributes."""
        return [element for element in self.elements if element[0] == name and attributes.items() <= element[1].items()]

    def texts(self, name, **attributes):
        """Returns the texts of these elements, with single spaces."""
        return [" ".join(text.split()) for _, _, text in self.find(name, **attributes)]


def chromium():
    """Returns the path of a Chromium, or `None`."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
