// FOFE language model of second order on WikiText-2 whose contexts cross the sentences of a paragraph.
(import 'fofe_2.jsonnet') { paragraphs:: true }
