def text(state, seat):
    return ""


def svg(state, seat):
    return "<svg/>"


def action_text(state, action, seat):
    return ""
