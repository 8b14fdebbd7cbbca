"""A language model as judge: are answers borne out by their passages, right, and to the point?"""
