"""The words of the everyday corpus: English, French, and what agrees with what."""

from typing import NamedTuple

from course_lib.translation.lexicon import Adjective, Noun

# What adds neither -s in English nor in French to its singular, or not alone.
ENGLISH_PLURALS = {
    "man": "men", "woman": "women", "child": "children", "wife": "wives", "mouse": "mice",
    "fish": "fish", "life": "lives",
}  # fmt: skip
FRENCH_PLURALS = {
    "oiseau": "oiseaux", "animal": "animaux", "cheval": "chevaux", "chapeau": "chapeaux",
    "gâteau": "gâteaux", "fils": "fils", "souris": "souris", "bras": "bras", "pays": "pays",
    "œil": "yeux", "bus": "bus", "jeu": "jeux",
}  # fmt: skip


def _nouns(kind: str, lines: str) -> tuple[Noun, ...]:
    """Nouns of one kind; a star marks those that also occur in the plural."""
    found = []
    for line in lines.split(","):
        english, gender, french = line.split(maxsplit=2)
        found.append(Noun(english.rstrip("*"), french.strip(), gender, kind))
        if english.endswith("*"):
            SEVERAL.add(english.rstrip("*"))
    return tuple(found)


SEVERAL: set[str] = set()
PEOPLE = _nouns(
    "adult",
    """man* m homme, woman* f femme, friend* m ami, teacher* m professeur,
    doctor m médecin, student* m étudiant, king m roi, queen f reine""",
)
FAMILY = _nouns(
    "adult",
    """mother f mère, father m père, brother* m frère, sister* f sœur,
    wife f femme, husband m mari, son m fils, daughter f fille, mom f maman, dad m papa""",
)
GROUPS = _nouns("adult", "family f famille")
CHILDREN = _nouns("child", "boy* m garçon, girl* f fille, child* m enfant, baby m bébé")
ANIMALS = _nouns(
    "animal",
    """cat* m chat, dog* m chien, bird* m oiseau, mouse* f souris, fox m renard,
    horse* m cheval, fish m poisson, animal* m animal, bear m ours""",
)
THINGS = _nouns(
    "thing",
    """book* m livre, letter* f lettre, hat m chapeau, car* f voiture,
    table f table, chair f chaise, phone m téléphone, computer* m ordinateur, ball m ballon,
    bed m lit, key* f clé, bag m sac, box f boîte, flower* f fleur, picture* f photo, movie m film,
    game* m jeu, train m train, bus m bus, plane m avion, bike m vélo, dress f robe,
    shirt f chemise, machine* f machine, robot m robot, mat m tapis, door f porte, window f fenêtre,
    house* f maison""",
)
IDEAS = _nouns(
    "idea",
    """question* f question, answer f réponse, word* m mot, name m nom,
    problem* m problème, idea f idée, job m travail, song f chanson, story f histoire, test m test,
    color f couleur, dream m rêve, birthday m anniversaire, heart m cœur, sentence* f phrase""",
)
FOOD = _nouns("food", """apple* f pomme, pizza f pizza, cake m gâteau, egg* m œuf""")
# Some of it, never one of it: "du pain", "de l'eau".
STUFF = _nouns(
    "food",
    """bread m pain, cheese m fromage, meat f viande, rice m riz,
    chocolate m chocolat""",
)
DRINKS = _nouns(
    "drink",
    """water f eau, coffee m café, tea m thé, milk m lait, wine m vin,
    beer f bière""",
)
OTHER_STUFF = _nouns("stuff", "money m argent, music f musique, time m temps, work m travail")
PLACES = _nouns(
    "place",
    """garden m jardin, church f église, bridge m pont, school f école,
    street f rue, city f ville, park m parc, store m magasin, restaurant m restaurant,
    station f gare, hotel m hôtel, hospital m hôpital, beach f plage, kitchen f cuisine,
    bathroom f salle de bain, room f chambre, office m bureau, river f rivière, mountain f montagne,
    forest f forêt, sea f mer, country m pays, town f ville""",
)
TREES = _nouns("place", "tree* m arbre")
WORLD = _nouns(
    "world",
    """sun m soleil, moon f lune, sky m ciel, night f nuit, day m jour, world m monde,
    life f vie, love m amour, weather m temps, food f nourriture, city f ville, snow f neige,
    rain f pluie, fire m feu, language f langue, music f musique""",
)
PARTS = _nouns("part", "hand f main, head f tête, eye m œil, mouth f bouche")
LIVING = PEOPLE + FAMILY + GROUPS + CHILDREN + ANIMALS
OBJECTS = THINGS + IDEAS + FOOD

# a country: English, "in" it, "from" it
COUNTRIES = {
    "france": ("en France", "de France"), "germany": ("en Allemagne", "d' Allemagne"),
    "england": ("en Angleterre", "d' Angleterre"), "spain": ("en Espagne", "d' Espagne"),
    "italy": ("en Italie", "d' Italie"), "canada": ("au Canada", "du Canada"),
    "america": ("en Amérique", "d' Amérique"), "india": ("en Inde", "d' Inde"),
    "paris": ("à Paris", "de Paris"), "london": ("à Londres", "de Londres"),
}  # fmt: skip
LANGUAGES = {
    "english": "anglais",
    "french": "français",
    "german": "allemand",
    "spanish": "espagnol",
}


class Shade(NamedTuple):
    """An adjective of `lexicon.Adjective`'s kind with its English comparative, "" without one."""

    adjective: Adjective
    more: str


def _adjectives(before: bool, lines: str) -> list[Shade]:
    """english[/comparative] masculine feminine kinds, a line each."""
    found = []
    for line in lines.strip().split("\n"):
        english, masculine, feminine, *kinds = line.split()
        name, _, more = english.partition("/")
        suits = frozenset(kinds)
        found.append(Shade(Adjective(name, masculine, feminine, before, suits), more))
    return found


ADJECTIVES = _adjectives(True, """
small/smaller petit petite adult child animal thing place
little petit petite child animal
old/older vieux vieille adult animal thing place
young/younger jeune jeune adult child animal
big/bigger grand grande place thing animal
large grand grande place
beautiful beau belle adult animal thing place world
pretty joli jolie child thing place
good/better bon bonne idea food drink adult
bad mauvais mauvaise idea
new nouveau nouvelle thing idea
best meilleur meilleure friend
tall/taller grand grande adult child
poor pauvre pauvre adult
""") + _adjectives(False, """
black noir noire animal thing
white blanc blanche animal thing
red rouge rouge thing
blue bleu bleue thing
green vert verte thing
yellow jaune jaune thing
brown marron marron animal
dark sombre sombre place world
quick rapide rapide animal
fast/faster rapide rapide animal thing
lazy paresseux paresseuse adult child animal
tired fatigué fatiguée adult child animal
happy heureux heureuse adult child animal
sad triste triste adult child idea
sick malade malade adult child animal
nice gentil gentille adult child animal
strong/stronger fort forte adult animal
rich riche riche adult
smart intelligent intelligente adult child animal
funny drôle drôle adult child animal idea
crazy fou folle adult animal
ready prêt prête -
alone seul seule adult child
busy occupé occupée -
easy facile facile idea
difficult difficile difficile idea
important important importante idea
interesting intéressant intéressante idea
expensive cher chère thing
favorite préféré préférée own
cold froid froide food drink
hot chaud chaude food drink
""")  # fmt: skip

COLORS = ("black", "white", "red", "blue", "green", "yellow", "brown")
FEELINGS = ("tired", "happy", "sad", "sick", "nice", "crazy", "ready", "alone", "busy", "smart",
            "funny", "strong", "young", "old", "beautiful", "rich", "poor", "lazy",
            "tall")  # fmt: skip
# "I am hungry" is "j'ai faim".
HAVING = {"hungry": "faim", "thirsty": "soif", "cold": "froid", "hot": "chaud", "afraid": "peur",
          "right": "raison", "wrong": "tort"}  # fmt: skip
NUMBERS = {"two": "deux", "three": "trois", "four": "quatre", "five": "cinq", "six": "six",
           "ten": "dix"}  # fmt: skip
