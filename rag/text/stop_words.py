"""Words that carry no subject, those that ask among them, by Snowball's name of the language."""

from __future__ import annotations

from typing import Final

ENGLISH: Final = "english"
GERMAN: Final = "german"

LATIN: Final = {
    ENGLISH: """
        a about all also am an and any are as at be been but by can could did do does for from had has have how i if
        in into is it its many may me might much must my no not of on or our ours s shall should so such t than that
        the their them then there these they this those to was we were what when where which who whom whose why will
        with would you your yours""",
    GERMAN: """
        aber alle als also am an auch auf aus bei beim bin bis bist da damit das dass dem den denn der des die dies
        diese diesem diesen dieser dieses doch du durch ein eine einem einen einer eines er es für gegen gibt habe
        haben hat ich ihr ihre im in ist ja kann kein keine können man mehr mein mich mir mit muss müssen nach nicht
        noch nur ob oder ohne sein seine sich sie sind so soll sollen sowie über um und uns unser unsere unter vom
        von vor wann war waren warum was welche welcher welches wenn wer werden wie wieviel wir wird wo wurde wurden
        zu zum zur zwischen""",
    "french": """
        à au aux avec ce ces cet cette comment dans de des doit donc du elle elles en entre est et être eux il ils
        je la le les leur leurs lors mais même mes mon ne nos notre nous on ont ou où par pas plus pour pourquoi
        peut qu quand que quel quelle quelles quels qui sa sans se selon ses si son sont sous sur ta te tes ton tous
        tout toute toutes tu un une vos votre vous y a combien""",
    "spanish": """
        a al ante como cómo con cuál cuáles cuándo cuánto cuántos de del desde donde dónde durante e el ella ellos
        en entre es esta está este esto estos fue ha han hasta hay la las le les lo los más me mi muy no nos o para
        pero por porque puede que qué quién se ser si sin sobre son su sus también te tiene tu un una uno unos y ya
        yo""",
    "italian": """
        a ad agli ai al alla alle anche che chi ci come con cosa cui da dai dal dalla dalle degli dei del della
        delle di dove e è ed essere gli ha hanno i il in io la le lo loro ma nei nel nella nelle non o ogni per
        perché più può quale quali quando quanti quanto questa questo se si sono su sua sue sul sulla suo tra tutti
        un una uno""",
    "portuguese": """
        a ao aos as à às com como da das de depois do dos e é ela ele eles em entre está foi há isso já lhe mais mas
        me mesmo meu muito na nas não nem no nos o os ou para pela pelo pelos por porque qual quais quando quanto
        quantos que quem se sem ser seu seus sua suas são também tem um uma você onde""",
    "dutch": """
        aan al als bij dan dat de deze die dit door een en er geen had hebben heb heeft het hij hoe hoeveel hun ik
        in is je kan kunnen maar me meer met mijn moet moeten naar niet nog nu of om onder ons onze ook op over te
        tot u uit uw van veel voor waar waarom wanneer was wat we welke wel werd wie wij worden wordt zal ze zich
        zij zijn zonder zou""",
    "swedish": """
        alla att av blir bli då de dem den denna det detta där efter eller en er ett får för från ha han har hon hos
        hur i in inte jag kan man med men mig min mot mycket många måste när nu och om oss på sig sin ska skall som
        så till under upp ut utan vad var vara vem vi vid vilka vilken är över""",
    "danish": """
        af alle at blev bliver da de den der deres det dette dig din disse eller en er et for fra få ham han har
        havde hun hvad hvem hvilke hvilken hvis hvor hvordan hvornår i ikke jeg kan kun man mange med meget men mig
        min må nu når og også om op os over på sig sin skal som til ud under var ved vi vil være""",
    "norwegian": """
        alle at av ble blir da de den denne der deres det dette du eller en er et etter for fra får gjennom ha han
        har hun hva hvem hvilke hvilken hvis hvor hvordan hvorfor i ikke jeg kan man mange med meg men mot må når og
        også om opp oss over på seg sin skal som til ut var ved vi vil være""",
    "finnish": """
        ei en että hän he ja joka jos jotka kaikki kanssa koska kuin kuinka kun me mikä miksi missä miten mitä monta
        mutta myös ne niin nyt ole oli olla on ovat se sekä sen siellä tai tämä tässä voi vai vain""",
    "polish": """
        a ale bez być był była było co czy dla do gdy gdzie go i ich ile jak jaka jakie jaki jako jego jej jest
        jeśli już każdy kiedy kto która które który lub ma może na nad nie o od oraz po pod przed przez przy są się
        tak także tego tej ten to tym u w we z za ze że""",
    "czech": """
        a aby ale ani až bez být bude byl byla co do i ja jak jaké jaký je jeho její jejich jen jestli jsem jsou k
        kde kdo kdy kolik která které který ma mají může na nad ne nebo o od po pod podle pro proto před při s se si
        so ta tak také tento to u v ve z za ze že""",
    "hungarian": """
        a az aki ami amely azt be csak de egy ehhez el én és ez ezt ha hány hogy hogyan hol honnan is itt kell ki le
        lehet már meg melyik mi mikor mint miért mit nem nincs ő ők vagy van vannak volt""",
    "romanian": """
        a acest această ai al ale am ar are au ca câte când care ce cel cine cu cum da de despre din după e ea ei el
        este eu fi fie în la le lor mai nu o ori pe pentru prin sau să se și sunt un una unde unei unui va""",
    "turkish": """
        ama ben bir biz bu çok da daha de değil en gibi hangi her için ile ise kaç kadar ki kim mi mı mu mü nasıl ne
        neden nerede o olan olarak sen siz şu var ve veya ya yok""",
}
"""In Latin letters: what tells which language a text is in."""

OTHER_SCRIPTS: Final = {
    "russian": """
        а без бы был была были было быть в вам вас весь во вот все всего вы где да для до его ее если есть еще же за
        и из или им их к как какие какой когда который кто ли мне может мы на над надо не нет но о об он она они от
        по под при с со так такой там то только у уже чем что чтобы эта эти это этот я сколько""",
    "greek": """
        ο η το οι τα του της των τον την τους τις και να σε με για από που πως ποιος τι στο στη στον στην στα στις
        είναι δεν θα αν ή ως ένα μια ένας κατά πότε πόσο""",
    "arabic": """
        في من على إلى عن مع هذا هذه ذلك التي الذي ما ماذا هل كيف كم متى أين هو هي كان أن إن لا أو و ثم قد بين كل""",
    "hindi": """
        का के की को में से पर है हैं था थे और या यह वह ये वे एक कि जो भी नहीं क्या कब कहाँ कैसे कितना कितने कौन तक
        लिए ने हो""",
}
"""In scripts of their own."""

DENIALS: Final = frozenset(
    """
    not no never without cannot none neither nor nobody nothing n't nicht kein keine keinen keinem keiner keines nie
    niemals ohne weder nichts niemand pas jamais aucun aucune sans ni rien nunca sin ningún ninguna ninguno tampoco
    non mai senza nessun nessuna não nem sem nenhum nenhuma niet geen nooit zonder
    """.split()  # noqa: SIM905  # a list of words reads best as words
)
"""Words that deny, in several languages."""
