def text(s, seat): return ""
def svg(s, seat): return ""
def action_name(a): return str(a)
def action_text(s, a): return str(a)
