"""Small conversations in several scripts, with questions that they answer."""

from __future__ import annotations

ENGLISH = """
We moved the retry policy of the billing worker into Redis last week.
The billing worker retries seven times before it gives up and pages the team.
Carla prefers that migrations run at night, when the reporting database is idle.
The reporting database was upgraded to the new version by Carla on Friday.
Our deploy script failed because the staging certificate had expired.
I renewed the staging certificate and wrote the date into the calendar.
The search index is rebuilt every Sunday by a scheduled job on the small server.
That scheduled job needs about forty minutes and locks the search index.
Ben wants the export as a spreadsheet with one row for each customer.
The export leaves out customers who closed their account last year.
We agreed to use feature flags for the checkout page before the summer sale.
The checkout page has a feature flag that hides the voucher field.
My daughter starts school in September, so I work mornings until then.
The team lunch is on Thursday at the noodle place near the office.
The noodle place near the office has a table for ten people.
Logs are kept for thirty days, then the cleanup task removes them.
The cleanup task removes logs from the archive bucket as well.
Ben reported that the mobile app crashes when the camera permission is denied.
The crash of the mobile app is fixed; the camera permission is now asked for first.
We pay for the mail provider by the number of messages sent each month.
""".strip().splitlines()
SMALL_TALK = """
The first language I learned at school was the one of the country by the sea.
In winter the best light comes before the sun is behind the trees.
We made bread with butter, and the red wine was good for the rules of the game.
The ships in the water near the old church are the highest of the year.
How a car engine works is a matter of oil and blood, said the court.
A star, a stone and a leg: what a number of points to find on the wall.
The moon was in the window, and the heavy snow did not stop the birds.
My mother eats an apple a day, since it helps the bones, says the doctor.
""".strip().splitlines()
ASKED = """
Where did we move the retry policy of the billing worker?
How many times does the billing worker retry before it gives up?
When does Carla prefer that migrations run on the reporting database?
Why did the deploy script fail on staging?
How often is the search index rebuilt by the scheduled job?
Which customers does the export leave out?
What does the feature flag on the checkout page hide?
When does my daughter start school?
Where is the team lunch on Thursday?
How long are logs kept before the cleanup task removes them?
Why does the mobile app crash when the camera permission is denied?
How do we pay for the mail provider?
""".strip().splitlines()
OTHER = {
    "German": (
        """
        Der Schlüssel für den Keller liegt unter dem blauen Topf im Garten.
        Unser Zahnarzt in der Lindenstraße hat im August geschlossen.
        Am Samstag bringt Großmutter den Kuchen mit Pflaumen.
        Im Keller steht noch das alte Fahrrad von Jonas.
        Das Fahrrad von Jonas braucht eine neue Kette.
        """,
        [
            "Wo liegt der Schlüssel für den Keller?",
            "Wann hat unser Zahnarzt geschlossen?",
            "Was braucht das Fahrrad von Jonas?",
        ],
    ),
    "Chinese": (
        """
        厨房的备用钥匙放在蓝色花盆下面。
        我们的牙医在榆树街,八月份休息。
        星期六奶奶会带李子蛋糕来。
        地下室里还有小明的旧自行车。
        小明的自行车需要换新链条。
        """,
        ["备用钥匙放在哪里?", "我们的牙医什么时候休息?", "小明的自行车需要换什么?"],
    ),
    "Japanese": (
        """
        台所の予備の鍵は青い植木鉢の下にあります。
        歯医者は八月に休みます。
        土曜日に祖母がプラムのケーキを持ってきます。
        地下室に健太の古い自転車があります。
        健太の自転車は新しいチェーンが必要です。
        """,
        ["予備の鍵はどこにありますか?", "歯医者はいつ休みますか?", "健太の自転車は何が必要ですか?"],
    ),
}
RARE = """Redis spreadsheet idx_memory_units Lindenstraße Großmutter 榆树街 链条 植木鉢 チェーン холодильник θάλασσα ตู้เย็น
    מקרר ثلاجة""".split()


def turns(texts, session="talk"):
    """Turns of two people that take turns, a minute apart."""
    return [
        {
            "session": session,
            "seq": n,
            "at": f"2026-03-01 10:{n % 60:02}",
            "speaker": ("Ana", "Tom")[n % 2],
            "text": text,
        }
        for n, text in enumerate(texts)
    ]
