"""Names of places that the reference data lacks: short forms, names in other languages, areas above a country."""

from __future__ import annotations

from jobctrl.postings.folding import words

COUNTRY_NAMES = {
    "US": "US", "USA": "US", "U.S.": "US", "US of A": "US", "America": "US", "United States": "US", "Estados Unidos": "US",
    "EUA": "US", "EE.UU.": "US", "EEUU": "US", "Etats-Unis": "US", "États Unis": "US", "美": "US", "美国": "US",
    "UK": "GB", "U.K.": "GB", "Great Britain": "GB", "Britain": "GB", "Grande-Bretagne": "GB", "Reino Unido": "GB",
    "Royaume-Uni": "GB", "GBR": "GB", "Verenigd Koninkrijk": "GB", "英": "GB", "英国": "GB",
    "UAE": "AE", "U.A.E.": "AE", "Emirates": "AE", "阿联酋": "AE", "EAU": "AE", "VAE": "AE",
    "GER": "DE", "Deutschland": "DE", "Deutschlandweit": "DE", "BRD": "DE", "德": "DE",
    "KSA": "SA", "PRC": "CN", "P.R. China": "CN", "Mainland China": "CN", "中国": "CN", "中国内地": "CN",
    "中国大陆": "CN", "中國": "CN", "国内": "CN", "ROC": "TW", "台湾": "TW", "台灣": "TW", "RSA": "ZA",
    "South Korea": "KR", "Korea": "KR", "Republic of Korea": "KR", "ROK": "KR", "韩国": "KR", "North Korea": "KP",
    "Russia": "RU", "Vietnam": "VN", "Viet Nam": "VN", "Czechia": "CZ", "Czech Republic": "CZ", "CZE": "CZ",
    "Holland": "NL", "The Netherlands": "NL", "Niederlande": "NL", "NED": "NL", "Turkey": "TR", "Türkiye": "TR",
    "Turkiye": "TR", "Macedonia": "MK", "Ivory Coast": "CI", "Cape Verde": "CV", "Swaziland": "SZ", "Burma": "MM",
    "Bosnia": "BA", "Bosnia and Herzegovina": "BA", "Bosnia & Herzegovina": "BA", "Trinidad": "TT",
    "Syria": "SY", "Iran": "IR", "Laos": "LA", "Moldova": "MD", "Bolivia": "BO", "Venezuela": "VE", "Tanzania": "TZ",
    "Palestine": "PS", "Brunei": "BN", "Micronesia": "FM", "Vatican": "VA", "DR Congo": "CD", "DRC": "CD",
    "Republic of Ireland": "IE", "Eire": "IE", "Schweiz": "CH", "Suisse": "CH", "Svizzera": "CH", "SUI": "CH",
    "POR": "PT", "PHL": "PH", "Philippines": "PH", "The Philippines": "PH", "菲": "PH", "菲律宾": "PH",
    "马来": "MY", "马来西亚": "MY", "马": "MY", "泰国": "TH", "泰": "TH", "印尼": "ID", "日本": "JP", "越南": "VN",
    "加拿大": "CA", "澳洲": "AU", "新西兰": "NZ", "新加坡": "SG", "狮城": "SG", "香港": "HK", "澳门": "MO",
    "Macau": "MO", "Macao": "MO", "Hong Kong": "HK", "HKSAR": "HK", "Singapore": "SG",
    "România": "RO", "Magyarország": "HU", "Brasil": "BR", "México": "MX", "The Bahamas": "BS", "The Gambia": "GM",
    "Kosovo": "XK",
}  # fmt: skip

SUBDIVISION_NAMES = {
    "Bavaria": "DE-BY", "Lower Saxony": "DE-NI", "Saxony": "DE-SN", "Hesse": "DE-HE", "Thuringia": "DE-TH",
    "North Rhine-Westphalia": "DE-NW", "NRW": "DE-NW", "Rhineland-Palatinate": "DE-RP", "Saxony-Anhalt": "DE-ST",
    "Mecklenburg-Western Pomerania": "DE-MV", "Baden-Wuerttemberg": "DE-BW",
    "Upper Austria": "AT-4", "Lower Austria": "AT-3", "Styria": "AT-6", "Tyrol": "AT-7", "Carinthia": "AT-2",
    "North Holland": "NL-NH", "South Holland": "NL-ZH", "North Brabant": "NL-NB", "Guelders": "NL-GE",
    "Friesland": "NL-FR", "Zealand": "NL-ZE",
    "Flanders": "BE-VLG", "Wallonia": "BE-WAL", "Brussels Region": "BE-BRU",
    "Lombardy": "IT-25", "Tuscany": "IT-52", "Piedmont": "IT-21", "Lazio": "IT-62", "Latium": "IT-62", "Sicily": "IT-82",
    "Sardinia": "IT-88", "Apulia": "IT-75", "Liguria": "IT-42", "Emilia-Romagna": "IT-45", "Veneto": "IT-34",
    "Campania": "IT-72", "Calabria": "IT-78", "Marche": "IT-57", "Umbria": "IT-55",
    "Catalonia": "ES-CT", "Cataluña": "ES-CT", "Andalusia": "ES-AN", "Basque Country": "ES-PV", "Aragon": "ES-AR",
    "Castile and León": "ES-CL", "Canary Islands": "ES-CN", "Balearic Islands": "ES-IB",
    "Community of Madrid": "ES-MD", "Comunidad de Madrid": "ES-MD", "Valencian Community": "ES-VC", "Navarre": "ES-NC",
    "Île-de-France": "FR-IDF", "Ile de France": "FR-IDF", "Nouvelle-Aquitaine": "FR-NAQ", "Occitanie": "FR-OCC",
    "Auvergne-Rhône-Alpes": "FR-ARA", "Provence-Alpes-Côte d'Azur": "FR-PAC", "PACA": "FR-PAC", "Brittany": "FR-BRE",
    "Bretagne": "FR-BRE", "Normandy": "FR-NOR", "Normandie": "FR-NOR", "Hauts-de-France": "FR-HDF",
    "Grand Est": "FR-GES", "Pays de la Loire": "FR-PDL", "Centre-Val de Loire": "FR-CVL",
    "Bourgogne-Franche-Comté": "FR-BFC", "Corsica": "FR-20R",
    "Mazovia": "PL-14", "Masovian Voivodeship": "PL-14", "Mazowieckie": "PL-14", "Lesser Poland": "PL-12",
    "Silesia": "PL-24", "Lower Silesia": "PL-02", "Pomerania": "PL-22", "Greater Poland": "PL-30",
    "Québec": "CA-QC", "Quebec": "CA-QC", "Newfoundland": "CA-NL", "PEI": "CA-PE",
    "Orissa": "IN-OD", "Odisha": "IN-OD", "Telangana": "IN-TS", "Chhattisgarh": "IN-CG", "Uttarakhand": "IN-UK",
    "Pondicherry": "IN-PY", "Tamilnadu": "IN-TN", "New South Wales": "AU-NSW",
    "England": "GB-ENG", "Scotland": "GB-SCT", "Wales": "GB-WLS", "Northern Ireland": "GB-NIR", "Yorkshire": "GB-NYK",
    "Greater London": "GB-LND", "Greater Manchester": "GB-MAN", "West Midlands": "GB-WMD", "Sussex": "GB-ESX",
    "Berkshire": "GB-BRK", "Merseyside": "GB-LIV", "West Yorkshire": "GB-LDS", "South Yorkshire": "GB-SHF",
    "Tyne and Wear": "GB-NET", "Bedfordshire": "GB-BDF", "Cheshire": "GB-CHE",
    "Crimea": "UA-43", "Gauteng": "ZA-GP", "Western Cape": "ZA-WC", "KwaZulu-Natal": "ZA-KZN",
    "Haifa District": "IL-HA", "Tel Aviv District": "IL-TA", "Central District": "IL-M", "Jerusalem District": "IL-JM",
    "Washington DC": "US-DC", "Puerto Rico": "US-PR",
    "广东": "CN-GD", "广东省": "CN-GD", "浙江": "CN-ZJ", "浙江省": "CN-ZJ", "江苏": "CN-JS", "江苏省": "CN-JS",
    "福建": "CN-FJ", "福建省": "CN-FJ", "山东": "CN-SD", "山东省": "CN-SD", "四川": "CN-SC", "四川省": "CN-SC",
    "湖北": "CN-HB", "湖北省": "CN-HB", "湖南": "CN-HN", "湖南省": "CN-HN", "河南": "CN-HA", "河南省": "CN-HA",
    "河北": "CN-HE", "河北省": "CN-HE", "安徽": "CN-AH", "安徽省": "CN-AH", "陕西": "CN-SN", "陕西省": "CN-SN",
    "辽宁": "CN-LN", "辽宁省": "CN-LN", "江西": "CN-JX", "江西省": "CN-JX", "云南": "CN-YN", "云南省": "CN-YN",
    "海南": "CN-HI", "海南省": "CN-HI", "广西": "CN-GX", "山西": "CN-SX", "贵州": "CN-GZ", "吉林": "CN-JL",
    "黑龙江": "CN-HL", "甘肃": "CN-GS", "新疆": "CN-XJ", "内蒙古": "CN-NM", "西藏": "CN-XZ", "宁夏": "CN-NX",
}  # fmt: skip

SUBDIVISION_CODES = {
    "IN-TS": "TS TG", "IN-OD": "OR", "IN-UK": "UK UT", "IN-CG": "CG CT", "CA-QC": "PQ", "CA-NL": "NF",
    "MX-CMX": "CDMX DF", "MX-NLE": "NL", "MX-JAL": "JA", "MX-QUE": "QE QRO", "MX-MEX": "EM EDOMEX", "MX-BCN": "BC",
    "MX-YUC": "YU", "MX-PUE": "PU", "MX-SON": "SO", "MX-CHH": "CH", "MX-GUA": "GT", "MX-ROO": "QR", "MX-COA": "CO",
    "GB-NIR": "NI", "GB-ENG": "ENG", "GB-SCT": "SCT", "GB-WLS": "WLS",
}  # fmt: skip
"""Codes in use beside those of ISO 3166-2."""

AREAS = {
    "EMEA": "EMEA", "APAC": "APAC", "APJ": "APJ", "ANZ": "ANZ", "AMER": "AMER", "AMERS": "AMER", "NAMER": "NAMER",
    "NORAM": "NORAM", "LATAM": "Latin America", "LAC": "LAC", "EU": "EU", "European Union": "EU", "EEA": "EEA",
    "DACH": "DACH", "CEE": "CEE", "GCC": "GCC", "MENA": "MENA", "CIS": "CIS", "ASEAN": "ASEAN", "Benelux": "Benelux",
    "Europe": "Europe", "Europa": "Europa", "Asia": "Asia", "Africa": "Africa", "Afrika": "Afrika",
    "Americas": "Americas", "The Americas": "Americas", "North America": "North America",
    "South America": "South America", "Central America": "Central America", "Latin America": "Latin America",
    "Latinoamérica": "Latin America", "América Latina": "Latin America", "Oceania": "Oceania",
    "Asia Pacific": "Asia Pacific", "Asia-Pacific": "Asia Pacific", "Southeast Asia": "Southeast Asia",
    "South East Asia": "South East Asia", "South-East Asia": "South-East Asia", "East Asia": "East Asia",
    "South Asia": "South Asia", "Central Asia": "Central Asia", "Middle East": "Middle East",
    "Middle East & North Africa": "Middle East & North Africa",
    "Middle East and North Africa": "Middle East and North Africa", "Middle East & Africa": "Middle East & Africa",
    "North Africa": "North Africa", "West Africa": "West Africa", "East Africa": "East Africa",
    "Southern Africa": "Southern Africa", "Sub-Saharan Africa": "Sub-Saharan Africa",
    "Western Europe": "Western Europe", "Eastern Europe": "Eastern Europe", "Central Europe": "Central Europe",
    "Northern Europe": "Northern Europe", "Southern Europe": "Southern Europe",
    "Central & Eastern Europe": "Central & Eastern Europe", "Nordics": "Nordics", "Nordic": "Nordics",
    "Scandinavia": "Scandinavia", "Baltics": "Baltics", "Balkans": "Balkans", "Caribbean": "Caribbean",
    "Iberia": "Iberia", "UKI": "UKI", "UK&I": "UK&I", "UK & I": "UK&I",
    "北美": "北美", "南美": "南美", "欧洲": "欧洲", "亚洲": "亚洲", "东南亚": "东南亚", "亚太": "亚太", "拉美": "拉美",
    "中东": "中东", "非洲": "非洲", "欧盟": "欧盟", "欧美": "欧美", "大洋洲": "大洋洲", "東南アジア": "東南アジア",
    "Европа": "Европа", "СНГ": "СНГ", "Азия": "Азия",
}  # fmt: skip
"""Areas above a country, and how each is shown."""

WORLD = frozenset(
    """global|globally|worldwide|world wide|world|anywhere|anywhere in the world|international|everywhere|earth|any location
    |location flexible|mundial|weltweit|monde entier|全球|不限|地点不限|世界|全世界""".replace("\n", "")
    .replace("    ", "")
    .split("|")
)

CITY_NAMES = {
    # written as           city, region, country
    "NYC": ("New York City", None, "US"), "N.Y.C.": ("New York City", None, "US"),
    "New York City": ("New York City", None, "US"), "Manhattan": ("Manhattan", None, "US"),
    "SF": ("San Francisco", None, "US"), "San Fran": ("San Francisco", None, "US"), "SFO": ("San Francisco", None, "US"),
    "LA": ("Los Angeles", None, "US"), "L.A.": ("Los Angeles", None, "US"),
    "DC": ("Washington", "DC", "US"), "D.C.": ("Washington", "DC", "US"), "Washington DC": ("Washington", "DC", "US"),
    "Washington D.C.": ("Washington", "DC", "US"), "Washington District of Columbia": ("Washington", "DC", "US"),
    "ATX": ("Austin", None, "US"), "PDX": ("Portland", None, "US"), "PHX": ("Phoenix", None, "US"),
    "SLC": ("Salt Lake City", None, "US"), "ATL": ("Atlanta", None, "US"), "BOS": ("Boston", None, "US"),
    "CHI": ("Chicago", None, "US"), "SEA": ("Seattle", None, "US"), "DEN": ("Denver", None, "US"),
    "DAL": ("Dallas", None, "US"), "DFW": ("Dallas", None, "US"), "HOU": ("Houston", None, "US"),
    "MIA": ("Miami", None, "US"), "PHL": ("Philadelphia", None, "US"), "Philly": ("Philadelphia", None, "US"),
    "NOLA": ("New Orleans", None, "US"), "Vegas": ("Las Vegas", None, "US"), "MSP": ("Minneapolis", None, "US"),
    "DTW": ("Detroit", None, "US"), "RDU": ("Raleigh", None, "US"), "SJC": ("San Jose", None, "US"),
    "TOR": ("Toronto", None, "CA"), "YYZ": ("Toronto", None, "CA"), "MTL": ("Montreal", None, "CA"),
    "YVR": ("Vancouver", None, "CA"), "VAN": ("Vancouver", None, "CA"), "YUL": ("Montreal", None, "CA"),
    "LON": ("London", None, "GB"), "LDN": ("London", None, "GB"), "MCR": ("Manchester", None, "GB"),
    "DUB": ("Dublin", None, "IE"), "PAR": ("Paris", None, "FR"), "BER": ("Berlin", None, "DE"),
    "MUC": ("Munich", None, "DE"), "HAM": ("Hamburg", None, "DE"), "FRA": ("Frankfurt", None, "DE"),
    "AMS": ("Amsterdam", None, "NL"), "BCN": ("Barcelona", None, "ES"), "MAD": ("Madrid", None, "ES"),
    "LIS": ("Lisbon", None, "PT"), "ZRH": ("Zurich", None, "CH"), "VIE": ("Vienna", None, "AT"),
    "CPH": ("Copenhagen", None, "DK"), "STO": ("Stockholm", None, "SE"), "WAW": ("Warsaw", None, "PL"),
    "PRG": ("Prague", None, "CZ"), "BUD": ("Budapest", None, "HU"), "TLV": ("Tel Aviv", None, "IL"),
    "DXB": ("Dubai", None, "AE"), "BLR": ("Bengaluru", None, "IN"), "HYD": ("Hyderabad", None, "IN"),
    "BOM": ("Mumbai", None, "IN"), "DEL": ("Delhi", None, "IN"), "MAA": ("Chennai", None, "IN"),
    "PNQ": ("Pune", None, "IN"), "GGN": ("Gurgaon", None, "IN"), "Delhi NCR": ("Delhi NCR", None, "IN"),
    "Delhi/NCR": ("Delhi NCR", None, "IN"), "NCR": ("Delhi NCR", None, "IN"),
    "SGP": ("Singapore", None, "SG"), "SIN": ("Singapore", None, "SG"), "HK": ("Hong Kong", None, "HK"), "Hong Kong SAR": ("Hong Kong", None, "HK"),
    "HKG": ("Hong Kong", None, "HK"), "TYO": ("Tokyo", None, "JP"), "SYD": ("Sydney", None, "AU"),
    "MEL": ("Melbourne", None, "AU"), "KL": ("Kuala Lumpur", None, "MY"), "HCMC": ("Ho Chi Minh City", None, "VN"),
    "BKK": ("Bangkok", None, "TH"), "JKT": ("Jakarta", None, "ID"), "CDMX": ("Mexico City", None, "MX"),
    "GDL": ("Guadalajara", None, "MX"), "BsAs": ("Buenos Aires", None, "AR"), "SP": ("São Paulo", None, "BR"),
    "SZ": ("Shenzhen", None, "CN"), "SH": ("Shanghai", None, "CN"), "BJ": ("Beijing", None, "CN"),
    "HZ": ("Hangzhou", None, "CN"), "GZ": ("Guangzhou", None, "CN"),
    "Bay Area": ("San Francisco Bay Area", None, "US"), "SF Bay Area": ("San Francisco Bay Area", None, "US"),
    "SF Bay": ("San Francisco Bay Area", None, "US"), "San Francisco Bay Area": ("San Francisco Bay Area", None, "US"),
    "San Francisco Bay": ("San Francisco Bay Area", None, "US"), "Silicon Valley": ("Silicon Valley", None, "US"),
    "Randstad": ("Randstad", None, "NL"), "Capetown": ("Cape Town", None, "ZA"), "Frankfurt": ("Frankfurt", None, "DE"),
    "Den Bosch": ("Den Bosch", None, "NL"), "Saigon": ("Saigon", None, "VN"), "Bangalore": ("Bangalore", None, "IN"),
    "Gurgaon": ("Gurgaon", None, "IN"), "Tel Aviv-Yafo": ("Tel Aviv-Yafo", None, "IL"),
    "北上广深": ("北上广深", None, "CN"), "新竹": ("新竹", None, "TW"),
}  # fmt: skip
"""Short and colloquial names, written out."""

WEAK_CITY_NAMES = words("""ATL BOS CHI SEA DEN DAL HOU MIA PHL TOR VAN LON DUB PAR BER MUC HAM FRA AMS MAD LIS VIE STO BUD DEL SIN SP SZ SH
    BJ HZ GZ MEL KL NCR DXB PHX MSP SYD BOM MAA HK LA DC""")
"""Short names that mean a city only beside another place or a work mode; alone they are codes of something else too."""

KNOWN_FOR = {
    "barcelona": "ES", "valencia": "ES", "san jose": "US", "birmingham": "GB", "cambridge": "GB", "granada": "ES",
    "cordoba": None, "merida": None, "santiago": "CL", "newcastle": "GB", "richmond": "US", "portland": "US",
    "columbus": "US", "dublin": "IE", "hyderabad": "IN", "leon": None, "georgetown": None, "victoria": None,
    "hamilton": None, "london": "GB", "manchester": "GB", "melbourne": "AU", "perth": "AU", "oxford": "GB",
    "kingston": None, "san juan": "PR", "la paz": "BO", "cartagena": None, "vancouver": "CA", "waterloo": "CA",
    "bristol": "GB", "bath": "GB", "durham": "US", "lincoln": None, "york": "GB", "san antonio": "US",
    "santa fe": None, "toledo": None, "guadalajara": "MX", "medina": "SA", "tripoli": "LY", "alexandria": None,
    "boston": "US", "wellington": "NZ", "lima": "PE", "odessa": "UA", "rome": "IT", "milan": "IT", "naples": None,
    "athens": "GR", "vienna": "AT", "paris": "FR", "berlin": "DE", "delhi": "IN", "salem": None, "aurora": "US",
    "arlington": "US", "glendale": "US", "pasadena": "US", "san diego": "US", "los angeles": "US", "panama": "PA",
    "concord": "US", "burlington": None, "windsor": None, "surrey": None, "halifax": None, "brighton": "GB",
    "reading": "GB", "worcester": None, "gloucester": "GB", "plymouth": "GB", "nantes": "FR", "nice": "FR",
    "geneva": "CH", "lucerne": "CH", "porto": "PT", "sydney": "AU", "brest": None, "galway": "IE", "cork": "IE",
    "limerick": "IE", "edinburgh": "GB", "glasgow": "GB", "aberdeen": "GB", "dundee": "GB", "belfast": "GB",
}  # fmt: skip
"""The country a well-known name means when it stands alone; None where no reading is the usual one."""

CHINESE_SHORT = {"江浙沪": ("江苏", "浙江", "上海")}
"""Regions of China named by one letter each."""
