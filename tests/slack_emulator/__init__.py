"""A stand-in for Slack on loopback: Web API, Socket Mode, signed HTTP, and what Slack enforces.

async with SlackEmulator() as slack:
    ada = slack.add_user("ada")
    general = slack.add_channel("general", members=[ada])
    ...  # start the app with slack.api_url, slack.bot_token, slack.app_token or slack.signing_secret
    await slack.wait_connected()
    question = await slack.mention(general, ada, "How many days of leave?")
    thread = await slack.settled_thread(general, question.ts)
    assert not slack.pinged()
"""
