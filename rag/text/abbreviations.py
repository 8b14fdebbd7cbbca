"""Words that end with a full stop inside a sentence, in the languages that documents are most often written in.

They stand together whatever their language, because documents mix languages and nobody says which. All are in lower
case; what is one letter, or letters with full stops between, needs no entry.
"""

from __future__ import annotations

from typing import Final

BEFORE_MORE: Final = frozenset(
    """
    adm arch capt cmdr col dr drs fr gen gov hon ing lt maj messrs mlle mlles mme mmes mr mrs ms msgr mt mx pres prof
    rep rev sen sgt sr sra srta sta ste st supt vda
    avv arq cav dott dra dras exmo exma geom lic mons on rag sig sigg sigra
    dhr dipl hr frl mag mevr mw
    adv av bvd calle cl ctra pza str via ул пер пл просп
    approx bspw bzw ca cca cf cfr circa dgl ebd ed eds eg evtl exkl ggf ggfs i.e ibid ie inkl insb insbes mind
    resp rsp sog tel usf viz vgl vs zzgl zzt zit
    bijv incl excl m.b.t nl o.a t.o.v z.o.z d.w.z
    ej ex p.ej p.ex pág pag núm
    в.т.ч им напр ок прим см ср тов тел
    mio mrd tsd mill mln mld млн млрд тыс руб
    """.split()  # noqa: SIM905  # a list of words reads best as words
)
"""Something always follows them: titles, streets, "e.g." and its like, millions."""

BEFORE_NUMBERS: Final = frozenset(
    """
    abb abs abschn anl anm art arts aufl bd bde bl cap ch chap cl col cols ep eq eqs ex fig figs fn fol fz hft kap lit
    ll max min no nos nr nrn nrs num n.º nº p pp par para paras pos pt pts reg res rn rz sec secs sect sez
    tab tabs teil tit tom tz vol vols z ziff zl § гл ст стр рис табл п пп изд т д кв
    apr aug dec déc des dez dic ene feb févr fév gen giu huhtik jan janv jul juil jun lug mag maj mar märz mrt nov okt
    oct set sep sept spt авг апр дек июл июн мар нояб окт сент фев янв
    """.split()  # noqa: SIM905  # as above
)
"""Their full stop ends no sentence where a number follows."""

COMPANIES: Final = frozenset("bros co cie corp inc kg llc ltd lda ltda pty plc sa s.a sarl srl s.r.l spa s.p.a".split())  # noqa: SIM905
"""They stand in a row ("Co. Ltd."), and end sentences, too."""

OPENERS: Final = frozenset(
    """
    a after all also although an and are as at because before both but by can did do does each even every finally first
    for from furthermore he her here his how however i if in is it its last let many more moreover most my no not now
    of on once one only or other our please she since so some such that the their then there therefore these they this
    those though thus to today under until we what when where which while who why will with without you your
    aber alle als am auch auf aus bei bis bitte da damit dann das dass dem den der die dies diese dieser dieses doch du
    ein eine einen einer es falls für hier ich ihr im in ist jede jeder jedes kein man mit nach nicht nur ob oder sie
    sind so und unter vom von vor wann was wenn wer wie wir wo zu zum zur über
    au aucun avec ce ces cet cette ceux chaque comme dans de depuis des donc du elle elles en et il ils je la le les
    leur lorsque mais ne notre nous on ou par pour quand que qui sa sans selon ses si son sur tous tout toute un une
    votre vous
    al algunos aunque cada como con cuando desde después el ella ellos es esta estas este esto estos hay la las lo los
    más mientras muy nadie no nos nuestra nuestro nunca para pero por porque qué según si sin sobre solo su sus también
    todo todos tras un una usted y ya
    alla alle anche che chi ci come con cosa da dal dalla del della di dopo e ed era gli i il io l la le lo ma nel nella
    non ogni per perché più quando quanto questa questo se sono su tutti tutto un una uno
    à ao aos apesar as assim até com das depois do dos e ela ele eles em essa esse esta este eu foi isso já mas na nas
    nem no nos nós o os para pela pelo por quando que se sem seu sua também um uma você
    een het hij ik is je maar met na naar niet of om op te toen van voor want was wij ze zij
    без в все вы да для до его ее если есть за и из или их к как когда кто мы на не но о об он она они от по после при
    с так также там то только у что это этот я
    """.split()  # noqa: SIM905  # as above
)
"""Words that sentences begin with. With a capital behind a doubtful full stop, they tell that one begins."""

MONTHS_BEHIND_DAYS: Final = frozenset(
    """
    januar jänner februar feber märz april mai juni juli august september oktober november dezember
    januari februari marts maj juni juli augusti augustus oktober december
    jan feb mär apr jun jul aug sep sept okt nov dez
    """.split()  # noqa: SIM905  # as above
)
"""They follow the day, a number with a full stop."""

BEFORE_ORDINALS: Final = frozenset(
    """
    ab am beim bis das dem den der des die im ins jede jeden jeder nach seit unser vom von vor zum zur
    det til
    """.split()  # noqa: SIM905  # as above
)
"""In German and Nordic languages a number behind one of these counts: "im 3. Quartal"."""
