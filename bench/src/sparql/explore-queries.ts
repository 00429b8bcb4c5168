/** The queries of the BSBM explore mix, as the pages of a shop ask them: each about one product, review or offer. */
import type { QueryClass } from './query-class.js';

export const EXPLORE: readonly QueryClass[] = [
  {
    name: 'point-lookup',
    kind: 'explore',
    draw: (data) => ({ subject: data.subject() }),
    text: ({ subject }) => `SELECT ?p ?o WHERE { ${subject} ?p ?o }`,
  },
  {
    name: 'q1-products-by-features',
    kind: 'explore',
    draw: (data) => {
      const { type, features, numeric1 } = data.describedProduct(2);
      return { type, feature1: features[0]!, feature2: features[1]!, x: String(numeric1 - 1) };
    },
    text: ({ type, feature1, feature2, x }) => `SELECT DISTINCT ?product ?label WHERE {
  ?product rdfs:label ?label ; a ${type} ; bsbm:productFeature ${feature1}, ${feature2} ;
    bsbm:productPropertyNumeric1 ?value .
  FILTER (?value > ${x})
} ORDER BY ?label LIMIT 10`,
  },
  {
    name: 'q2-product-details',
    kind: 'explore',
    draw: (data) => ({ product: data.product() }),
    text: ({
      product,
    }) => `SELECT ?label ?comment ?producer ?productFeature ?text1 ?text2 ?text3 ?number1 ?number2 ?text4 ?text5 ?number4
WHERE {
  ${product} rdfs:label ?label ; rdfs:comment ?comment ; bsbm:producer ?p .
  ?p rdfs:label ?producer .
  ${product} dc:publisher ?p ; bsbm:productFeature ?f .
  ?f rdfs:label ?productFeature .
  ${product} bsbm:productPropertyTextual1 ?text1 ; bsbm:productPropertyTextual2 ?text2 ;
    bsbm:productPropertyTextual3 ?text3 ; bsbm:productPropertyNumeric1 ?number1 ; bsbm:productPropertyNumeric2 ?number2 .
  OPTIONAL { ${product} bsbm:productPropertyTextual4 ?text4 }
  OPTIONAL { ${product} bsbm:productPropertyTextual5 ?text5 }
  OPTIONAL { ${product} bsbm:productPropertyNumeric4 ?number4 }
}`,
  },
  {
    name: 'q3-without-feature',
    kind: 'explore',
    draw: (data) => {
      const { type, features, allFeatures, numeric1, numeric3 } = data.describedProduct(1);
      const feature2 = data.featureNotIn(allFeatures);
      return { type, feature1: features[0]!, feature2, x: String(numeric1 - 1), y: String(numeric3 + 1) };
    },
    text: ({ type, feature1, feature2, x, y }) => `SELECT ?product ?label WHERE {
  ?product rdfs:label ?label ; a ${type} ; bsbm:productFeature ${feature1} ; bsbm:productPropertyNumeric1 ?p1 .
  FILTER (?p1 > ${x})
  ?product bsbm:productPropertyNumeric3 ?p3 .
  FILTER (?p3 < ${y})
  OPTIONAL { ?product bsbm:productFeature ${feature2} ; rdfs:label ?testVar }
  FILTER (!bound(?testVar))
} ORDER BY ?label LIMIT 10`,
  },
  {
    name: 'q4-union',
    kind: 'explore',
    draw: (data) => {
      const { type, features, numeric1, numeric2 } = data.describedProduct(3);
      const [feature1, feature2, feature3] = features as [string, string, string];
      return { type, feature1, feature2, feature3, x: String(numeric1 - 1), y: String(numeric2 - 1) };
    },
    text: ({ type, feature1, feature2, feature3, x, y }) => `SELECT DISTINCT ?product ?label ?text WHERE {
  {
    ?product rdfs:label ?label ; a ${type} ; bsbm:productFeature ${feature1}, ${feature2} ;
      bsbm:productPropertyTextual1 ?text ; bsbm:productPropertyNumeric1 ?p1 .
    FILTER (?p1 > ${x})
  } UNION {
    ?product rdfs:label ?label ; a ${type} ; bsbm:productFeature ${feature1}, ${feature3} ;
      bsbm:productPropertyTextual1 ?text ; bsbm:productPropertyNumeric2 ?p2 .
    FILTER (?p2 > ${y})
  }
} ORDER BY ?label LIMIT 10`,
  },
  {
    name: 'q5-similar-products',
    kind: 'explore',
    draw: (data) => ({ product: data.productWithSimilar(120, 170) }),
    text: ({ product }) => `SELECT DISTINCT ?product ?label WHERE {
  ?product rdfs:label ?label .
  FILTER (${product} != ?product)
  ${product} bsbm:productFeature ?feature .
  ?product bsbm:productFeature ?feature .
  ${product} bsbm:productPropertyNumeric1 ?origin1 .
  ?product bsbm:productPropertyNumeric1 ?similar1 .
  FILTER (?similar1 < (?origin1 + 120) && ?similar1 > (?origin1 - 120))
  ${product} bsbm:productPropertyNumeric2 ?origin2 .
  ?product bsbm:productPropertyNumeric2 ?similar2 .
  FILTER (?similar2 < (?origin2 + 170) && ?similar2 > (?origin2 - 170))
} ORDER BY ?label LIMIT 5`,
  },
  {
    name: 'q7-offers-and-reviews',
    kind: 'explore',
    draw: (data) => data.offeredProduct(),
    text: ({
      product,
      country,
    }) => `SELECT ?label ?offer ?price ?vendor ?vendorTitle ?review ?revTitle ?reviewer ?revName ?rating1 ?rating2
WHERE {
  ${product} rdfs:label ?label .
  OPTIONAL {
    ?offer bsbm:product ${product} ; bsbm:price ?price ; bsbm:vendor ?vendor .
    ?vendor rdfs:label ?vendorTitle ; bsbm:country ${country} .
    ?offer dc:publisher ?vendor ; bsbm:validTo ?date .
    FILTER (?date > "2008-06-20T00:00:00"^^xsd:dateTime)
  }
  OPTIONAL {
    ?review bsbm:reviewFor ${product} ; rev:reviewer ?reviewer .
    ?reviewer foaf:name ?revName .
    ?review dc:title ?revTitle .
    OPTIONAL { ?review bsbm:rating1 ?rating1 }
    OPTIONAL { ?review bsbm:rating2 ?rating2 }
  }
}`,
  },
  {
    name: 'q8-english-reviews',
    kind: 'explore',
    // Reviews of the same day have no defined order, so the limit may cut off any of them.
    inexact: true,
    draw: (data) => ({ product: data.productWithEnglishReview() }),
    text: ({
      product,
    }) => `SELECT ?title ?text ?reviewDate ?reviewer ?reviewerName ?rating1 ?rating2 ?rating3 ?rating4 WHERE {
  ?review bsbm:reviewFor ${product} ; dc:title ?title ; rev:text ?text .
  FILTER langMatches(lang(?text), "EN")
  ?review bsbm:reviewDate ?reviewDate ; rev:reviewer ?reviewer .
  ?reviewer foaf:name ?reviewerName .
  OPTIONAL { ?review bsbm:rating1 ?rating1 }
  OPTIONAL { ?review bsbm:rating2 ?rating2 }
  OPTIONAL { ?review bsbm:rating3 ?rating3 }
  OPTIONAL { ?review bsbm:rating4 ?rating4 }
} ORDER BY DESC(?reviewDate) LIMIT 20`,
  },
  {
    name: 'q9-describe-reviewer',
    kind: 'explore',
    draw: (data) => ({ review: data.review() }),
    text: ({ review }) => `DESCRIBE ?x WHERE { ${review} rev:reviewer ?x }`,
  },
  {
    name: 'q10-cheap-offers',
    kind: 'explore',
    draw: (data) => data.offeredProduct(3),
    text: ({ product, country }) => `SELECT DISTINCT ?offer ?price WHERE {
  ?offer bsbm:product ${product} ; bsbm:vendor ?vendor ; dc:publisher ?vendor .
  ?vendor bsbm:country ${country} .
  ?offer bsbm:deliveryDays ?deliveryDays .
  FILTER (?deliveryDays <= 3)
  ?offer bsbm:price ?price ; bsbm:validTo ?date .
  FILTER (?date > "2008-06-20T00:00:00"^^xsd:dateTime)
} ORDER BY xsd:double(str(?price)) LIMIT 10`,
  },
  {
    name: 'q11-about-an-offer',
    kind: 'explore',
    draw: (data) => ({ offer: data.offer() }),
    text: ({ offer }) =>
      `SELECT ?property ?hasValue ?isValueOf WHERE { { ${offer} ?property ?hasValue } UNION { ?isValueOf ?property ${offer} } }`,
  },
  {
    name: 'q12-construct-offer',
    kind: 'explore',
    draw: (data) => ({ offer: data.offer() }),
    text: ({ offer }) => `CONSTRUCT {
  ${offer} ex:product ?productURI ; ex:vendor ?vendorName ; ex:vendorHomepage ?homepage ; ex:offerURL ?offerURL ;
    ex:price ?price ; ex:deliveryDays ?deliveryDays ; ex:validuntil ?validTo .
  ?productURI ex:productlabel ?productlabel .
} WHERE {
  ${offer} bsbm:product ?productURI .
  ?productURI rdfs:label ?productlabel .
  ${offer} bsbm:vendor ?vendor .
  ?vendor rdfs:label ?vendorName ; foaf:homepage ?homepage .
  ${offer} bsbm:offerWebpage ?offerURL ; bsbm:price ?price ; bsbm:deliveryDays ?deliveryDays ; bsbm:validTo ?validTo .
}`,
  },
];
