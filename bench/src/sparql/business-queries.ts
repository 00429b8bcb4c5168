/** The questions of the BSBM business intelligence mix: what vendors, reviewers and the owner of the shop ask of all products. */
import type { QueryClass } from './query-class.js';

export const BUSINESS: readonly QueryClass[] = [
  {
    name: 'b1-discussed-types',
    kind: 'business',
    draw: (data) => ({ from: data.country(), by: data.country() }),
    text: ({ from, by }) => `SELECT ?type (COUNT(?review) AS ?reviews) WHERE {
  ?product a ?type ; bsbm:producer ?producer .
  ?type a bsbm:ProductType .
  ?producer bsbm:country ${from} .
  ?review bsbm:reviewFor ?product ; rev:reviewer ?reviewer .
  ?reviewer bsbm:country ${by}
} GROUP BY ?type ORDER BY DESC(?reviews) ?type LIMIT 10`,
  },
  {
    name: 'b2-most-similar',
    kind: 'business',
    draw: (data) => ({ product: data.product() }),
    text: ({ product }) => `SELECT ?other ?shared WHERE {
  { SELECT ?other (COUNT(?feature) AS ?shared) WHERE {
      ${product} bsbm:productFeature ?feature .
      ?other bsbm:productFeature ?feature .
      FILTER (?other != ${product})
    } GROUP BY ?other }
} ORDER BY DESC(?shared) ?other LIMIT 10`,
  },
  {
    name: 'b3-growing-interest',
    kind: 'business',
    draw: () => ({}),
    // A quotient may have another number of digits.
    inexact: true,
    text: () => `SELECT ?product (xsd:float(?later) / ?earlier AS ?growth) WHERE {
  { SELECT ?product (COUNT(?review) AS ?later) WHERE {
      ?review bsbm:reviewFor ?product ; dc:date ?date .
      FILTER (?date >= "2008-02-01"^^xsd:date && ?date < "2008-03-01"^^xsd:date)
    } GROUP BY ?product }
  { SELECT ?product (COUNT(?review) AS ?earlier) WHERE {
      ?review bsbm:reviewFor ?product ; dc:date ?date .
      FILTER (?date >= "2008-01-01"^^xsd:date && ?date < "2008-02-01"^^xsd:date)
    } GROUP BY ?product }
} ORDER BY DESC(?growth) ?product LIMIT 10`,
  },
  {
    name: 'b4-features-that-cost',
    kind: 'business',
    draw: (data) => ({ type: data.narrowType() }),
    inexact: true,
    text: ({ type }) => `SELECT ?feature (?with / ?without AS ?ratio) WHERE {
  { SELECT ?feature (AVG(xsd:float(str(?price))) AS ?with) WHERE {
      ?product a ${type} ; bsbm:productFeature ?feature .
      ?offer bsbm:product ?product ; bsbm:price ?price
    } GROUP BY ?feature }
  { SELECT ?feature (AVG(xsd:float(str(?price))) AS ?without) WHERE {
      { SELECT DISTINCT ?feature WHERE { ?one a ${type} ; bsbm:productFeature ?feature } }
      ?product a ${type} .
      ?offer bsbm:product ?product ; bsbm:price ?price
      FILTER NOT EXISTS { ?product bsbm:productFeature ?feature }
    } GROUP BY ?feature }
} ORDER BY DESC(?ratio) ?feature LIMIT 100`,
  },
  {
    name: 'b5-favourites-of-countries',
    kind: 'business',
    draw: (data) => ({ type: data.narrowType() }),
    inexact: true,
    text: ({ type }) => `SELECT ?country ?product ?reviews ?price WHERE {
  { SELECT ?country (MAX(?count) AS ?reviews) WHERE {
      { SELECT ?country ?product (COUNT(?review) AS ?count) WHERE {
          ?product a ${type} .
          ?review bsbm:reviewFor ?product ; rev:reviewer ?reviewer .
          ?reviewer bsbm:country ?country
        } GROUP BY ?country ?product }
    } GROUP BY ?country }
  { SELECT ?country ?product (COUNT(?review) AS ?reviews) WHERE {
      ?product a ${type} .
      ?review bsbm:reviewFor ?product ; rev:reviewer ?reviewer .
      ?reviewer bsbm:country ?country
    } GROUP BY ?country ?product }
  { SELECT ?product (AVG(xsd:float(str(?asked))) AS ?price) WHERE {
      ?product a ${type} .
      ?offer bsbm:product ?product ; bsbm:price ?asked
    } GROUP BY ?product }
} ORDER BY DESC(?reviews) ?country ?product`,
  },
  {
    name: 'b6-generous-reviewers',
    kind: 'business',
    draw: (data) => ({ producer: data.producer() }),
    inexact: true,
    text: ({ producer }) => `SELECT ?reviewer (AVG(xsd:float(?rating)) AS ?average) WHERE {
  { SELECT (AVG(xsd:float(?any)) AS ?usual) WHERE {
      ?product bsbm:producer ${producer} .
      ?review bsbm:reviewFor ?product ; bsbm:rating1|bsbm:rating2|bsbm:rating3|bsbm:rating4 ?any
    } }
  ?product bsbm:producer ${producer} .
  ?review bsbm:reviewFor ?product ; rev:reviewer ?reviewer ; bsbm:rating1|bsbm:rating2|bsbm:rating3|bsbm:rating4 ?rating
} GROUP BY ?reviewer ?usual HAVING (AVG(xsd:float(?rating)) > 1.5 * ?usual)`,
  },
  {
    name: 'b7-not-offered-in-a-country',
    kind: 'business',
    draw: (data) => ({ type: data.narrowType(), country: data.country() }),
    // Products with as many offers have no order.
    inexact: true,
    text: ({ type, country }) => `SELECT ?product WHERE {
  { SELECT ?product WHERE {
      { SELECT ?product (COUNT(?offer) AS ?offers) WHERE {
          ?product a ${type} .
          ?offer bsbm:product ?product
        } GROUP BY ?product }
    } ORDER BY DESC(?offers) LIMIT 1000 }
  FILTER NOT EXISTS { ?offer bsbm:product ?product ; bsbm:vendor ?vendor . ?vendor bsbm:country ${country} }
}`,
  },
  {
    name: 'b8-cheap-vendors',
    kind: 'business',
    draw: (data) => ({ type: data.narrowType() }),
    inexact: true,
    text: ({ type }) => `SELECT ?vendor (xsd:float(?below) / ?all AS ?share) WHERE {
  { SELECT ?vendor (COUNT(?offer) AS ?below) WHERE {
      { SELECT ?product (AVG(xsd:float(str(?each))) AS ?average) WHERE {
          ?product a ${type} .
          ?any bsbm:product ?product ; bsbm:price ?each
        } GROUP BY ?product }
      ?offer bsbm:product ?product ; bsbm:price ?price ; bsbm:vendor ?vendor .
      FILTER (xsd:float(str(?price)) < ?average)
    } GROUP BY ?vendor }
  { SELECT ?vendor (COUNT(?offer) AS ?all) WHERE {
      ?product a ${type} .
      ?offer bsbm:product ?product ; bsbm:vendor ?vendor
    } GROUP BY ?vendor }
} ORDER BY DESC(?share) ?vendor LIMIT 10`,
  },
];
