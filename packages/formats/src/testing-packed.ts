/** Compressed documents, for tests: machines of tests have no programs that make them. */
const bytes = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** What is in each of the documents twice, once for each of its streams or frames. */
export const PLAIN: string = Array.from(
  { length: 8000 },
  (_, i) => `<urn:s${String(i % 7)}> <urn:p> "é${String(i % 20)}" .\n`,
).join('');

/** `(bzip2 -1; bzip2 -9)`: several blocks, and one. */
export const BZIP2: Uint8Array = bytes(
  'QlpoMTFBWSZTWct2YNIAX7hZlAAQUAF/9QABWgAAIAgAUAYe8AAgAAgAEKDRo0GQGhQaNGgyA0KDRo0GQGgmqqVB//qVU//VVDagACklUQ0BiN' +
    'PUeQSVe0JKvMJKtCSr9I1Hyj5R6j8qOo/Oj9KP1o+1H1R6j1HqPUeo9R6j1HUdR8o+UdR1HUdR1HUdR1HqPUeo9R6j1HqPUdR1Hyj5R1HUdR1H' +
    'UdR1HUeo9R6j1HqPUeo9R1HUfKPlHUdR1HUdR1HUdR6j1HqPUeo9R6j1HUdR8o+UdR1HUdR1HUdR1HqPUeo9R6j1HqPUdR1Hyj5R1HUdR1HUdR' +
    '1HUeo9R6j1HqPUeo9R1HUfKPlHUdR1HUdR1HUdR6j1HqPUeo9R6j1H0CSrwV9SsVisVisVisVisVisVit/YUOK4rFYrFYrFYrFYrFYrFYhVcFD' +
    'iuKxWKxWKxWKxWKxWKxWK4KHFcVisVisVisVisVisVisVwUOK4rFYrFYrFYrFYrFYrFYrgocVxWKxWKxWKxWKxWKxWKxXBQ4risVisVisVisVi' +
    'sVisViuChxXFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFfxCSrzhJV+PcJKviElX2K8ivoj6o+qPqj6o/HU' +
    'fKNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRq' +
    'NRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNRqNR/kqSV8Qkq8ISVaElXhCSr' +
    '/Qkq8Qkq/5igrJMprK9WGL8AD+ssygAIKAC/+oAArQAAEAQAKAMPeUAEAAEAAhQaNGgyA0KDRo0GQGhQaNGgyA0ClVKg//0qqf+qkPUAAUkqpo' +
    'NqGgaeo+EJKvzCSr0hJVoSVexWK+FfCuK/IrxX2K/Mr9Cv1K+iuK4riuK4riuK4r8vFal7cVxXgrwV4K8FeCvBX2K+xXFcVxXFcVxXFcV4rxXw' +
    'r4V4rxXivFeK8V4rxXFcVxXFcVxXFcV4rxXwr4V4rxXivFeK8V4rxXFcVxXFcVxXFcV4rxXwr4V4rxXivFeK8V4rxXFcVxXFcVxXFcV4rxXwr4' +
    'V4rxXivFeK8V4rxXFcVxXFcVxXFcV4rxXwr4V4rxXivFeK8V4rxXFcVxXFcVxXFcV4gkq8lepWKxWKxWKxWKxWKxWKxX9ChiuKxWKxWKxWKxWK' +
    'xWKxWIVXQocVxWKxWKxWKxWKxWKxWKxXBQ4risVisVisVisVisVisViuChxXFYrFYrFYrFYrFYrFYrFcFDiuKxWKxWKxWKxWKxWKxWK4KHFcVi' +
    'sVisVisVisVisVisVwUOK4rFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYrFYr+ISVekJKv1CSr3hJV8fUr2K4r6K' +
    '+ivor6KxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKx' +
    'WKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxWKxX+ISVe8JKvKElW' +
    'hJV5Qkq/wSVeQkq/5igrJMprJzasogAAMjsygAIKAC/+oAArQAAEAQAIADujhuIRT1UD/9VT/9VUhoZMgSqmjT/9VUZBiAwz1KqNMmRkGmmE1U' +
    'qM8qZD9UaY1N7gr9grkCsQVuzjGvjpdfn6+961rVZRuhgVVWRugwWVVWG5oGFZVUbuAMVZVRusAZVZVG6YBVWVdM4zpvHGS2TxzAIH9LYwQEFk' +
    'lmls2AgI1tmmAIGts2QAQ1tmwgAmts2gIA0tmxAQAEBAgCMYxjHegrlBXOCvEFdN63ve85znICAIAkAQBAEAQBIAEAQBAEgCAIAh9rgK8QVxQV' +
    'iCuKCv8FcAr0LuSKcKEhUmkJTgQlpoOTFBWSZTWZ0+2msAw2zZlAAQUAF/9QABWgAAIAgAYAc/fAAAAABIAAQUGjRoMgNCg0aNBkBoUGjRoMgN' +
    'Cg0aNBkBoJqlKqN/+lVT//VVB6oBoClSjTQGgNNG8CVXkCVWQEqsASj8kaoxRijyj+yjpH6qP2Ufuo/hR+KPKPKPKPKPKPSPKPKOUdIxRijlHK' +
    'OUdI5RyjlHKPKPKPKPKPKPKPSPKOUcoxRijlHKOUco6RyjlHKPSPKPKPKPKPKPKPSOUcoyRijlHKOUco5R0jlHKPKPSPKPKPKPKPKPKOUcoxRk' +
    'jlHKOUco5RyjpHKPKPKPSPKPKPKPKPKOUcoxRijpHKOUco5RyjlHSPKPKPKPSPKPKPKPKOUcoxRijlHSOUco5RyjlHKPKPKPKPKPSPKPKPKPyq' +
    'qQfyo5RkjFGKMUYoxRijJGKMUYoxR/0QqxR8oxRijFGSMUYoxRijJGKMUYogfCFXyj5RijFGKMUYoyRijFGKMUZIxR8IVfSPlGKMUYoxRijFGK' +
    'MkYoxRijFHwhV8o+UZIxRijFGKMUYoxRijJGKMUfCFXyj5RijFGSMUYoxRijFGKMUYoyR8IVfKPpGKMUYoxRkjFGKMUYoxRijFH0Qq+UfKMUZI' +
    'xRijFGKMkYoxRijFGKMUYoxRijFGSMUYoxRijJGKMUYoyRijFGKMUYoxRkjFGRWIrEViKxFfAEqsgJVegJVagSq5xXdK4xX4o/FH4o/FGqNUbI' +
    '1RqjVGqNUao1RqjZGqNUao1RqjVGqNkao1RqjVGqNUao2RsjVGqNUao1RqjVGyNUao1RqjVGqNUbI1RqjVGqNUao1RsjVGqNUao1RqjVGyNUao' +
    '1RqjVGqNUbI1RqjNUao1RqjVH6KNUao1RsjVGqNUao1RqjVGyNUao1RqjVGqNUbI1RqjVGqNUao1RsjZGqNUao1RqjVGqNkao1RqjVGqNUao2R' +
    'qjVGqNUao1RqjUrOKzis4r6AlVqBKrYBKrAEqtgEqvwEqtgJVfxdyRThQkJ0+2ms',
);
/** `(zstd --check; a frame to skip; zstd -19 --no-check)`. */
export const ZSTD: Uint8Array = bytes(
  'KLUv/aTgHAMAlFcAKkQZHxfApzX//P/abUrV38ZkS5lSSinJJDUcFvQB5wHnAeWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKX' +
    'c55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnL' +
    'KXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTr' +
    'nLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1Pucspd' +
    'TrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1Pucs' +
    'pdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1Pu' +
    'cspdTrnLKXe5go4Yv92Sm3JZFTVJ0eWKhR0y8tstuUkHgACiCEJCQRgKCEMOAgQGBwMBdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nH' +
    'KXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7' +
    'nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5Z' +
    'S7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc' +
    '5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLq' +
    'fc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1Oucspdznl' +
    'Lqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlDspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1' +
    'PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xy' +
    'l1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5' +
    'xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWU' +
    'u5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3O' +
    'WUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n' +
    '3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTgnKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yy' +
    'l3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65' +
    'yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU' +
    '65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLK' +
    'XU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7n' +
    'LKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT' +
    '7nLKXU65yyl3OeUup9zllLuccpdT7nLKXS6UM6gEoD8tAbOfAAEAFCAAAWaAAAACAAELEFC/f1RSjUiKUUZtJYnF+LKVhXUq2EtC6w3RawnpT7' +
    'ArBPp7cMsM1Gf3dvJUe/Waq6949U1qosJqm1ZcTdU1UfIK1NNM8p25GRLkh+9ZStBfEqYmEN3AK6lA3ANnobyW9fdKYWUqN2mJCqttWmU1VddE' +
    'yStQTzPJb+ZmSJAfvWcpQX8ZmJpAdAOvogJxDzyF8lrW3yeFlancZCUprLZpjdVUXRNlrkA9zSS/WZshQX7xnqUE/VVgagLRDbmKCsQ98BTKa1' +
    'l/nxRWpnIzlaSw2qYtVlN1TVS5AvU0k/xma4YE+cN7lhL0N4GpCUQ34SoqEPegUyivZf17UliZyq1UUsJqm65YTdU10eQK1NNM5pudGRLkD+9Z' +
    'StC/BKYmEN2Bq6RA3CNOobyW9e9JYWUqd1JJCatttmI1VdfEkitQTzOVb3ZmSJA/vGcpQf8SmJpAdAeukgJxLziF8lrWvyeFlam8SSUVrLbVit' +
    'VUXVNKrkA9zUy+2ZUhwfzwnqUE/UtgagLRG7hKCcR94BTKa1n/nhRWpvImlVSw2k4rVlN1zSi5AvU0J/lmN4aE8sN7lhL0L4GpCURv4ColEPeB' +
    'UyivZft7UliZqptUUsFqN61YTdV1ouQK1NOc5JvdGJLID+9ZSqi/BKYmELuBq1RAvAdOobyW6+9JYWVqblJJBavdtGI1VdeJkitQT2eSb3ZjyC' +
    'A/vGcpif4SmJpA6QauUgHxHjiF8lquvyeFlWm5SSUVrG7TitVU3SZKrkA9nUm+2U2hgvzwnqUM+ktgagKjG7hKBaR74BTKa7P+nhRWZuUmlVSo' +
    'tk0rVlP1mii5AvVsJvlmN4MJ8sN7liroL4GpiYhu4CoVMO6BUyivy/p7Ulg5lZtUUmHWNq1YTdVrouQK1KeZ5JvdjCTID9/JCk4A/p8ADENPAI' +
    'ahJwDD0BOAYWjsaUgNYP8BhhDJDxoGkhs0DCQvaBhITtAwkHygYSC5QMNA8oCGgeQADQPJh/wZStDfz5A89ARgGHoCMAw9ARiGngAMakNP2P+J' +
    '//H/z5////sHFS0AyrI4EAfQPSSSBXwGAAEAAQABB+V0UE4H5XRQTgfldFBOB+V0UE4H5XRQTgfldFBOB+V0UE4H5XRQTgfldFBOB+V0UE4H5X' +
    'RQTgfldFBOB+V0UE4H5XRQTgfldFBOB+V0UE4H5XRQTgfldFBOB+V0UE4H5XRQTgfldFBOB+V0UE4H5XRQTgfldFBOB+V0UE4H5XRQTgfldFBO' +
    'B+V0UE4H5XRQTgfldFBOB+V0UE4H5XRQTgfldFBOB+V0UE4H5XRQTgfldFBOB+V0UE4H5XRQTgfldFBOB+V0UE4H5XRQTgfldFBOB+V0UE4H5X' +
    'RQTgfldFBOB+V0UE4H5XRQTgfldFBOB+V0UE4H5XRQTgfldFBOBzoop4NyOiing3I6KKeDcjoop4NyOiing3I6KKeDcjoop4NyOiing3I6KKeD' +
    'cjoop4NyOiing3I6KKeDcjoop4NyOiing3I6KKeDcjoop4NyOiing3I6KKeDcjoop4NyOiing3I6KKeDcjoop4NyOiing3I6KKeDcjoop4NyOi' +
    'ing3I6KKeDcjoop4NyOiing3I6KKeDcjoop4NyOiing3I6KKeDcjoop4NyOiing3I6KKeDcjoop4NyOiing3I6KKeDcjoop4NyOiing3I6KKeD' +
    'cjoop4NyOiing3I6KKeDcjoop4NyOiing3I6KKeDcjoop4NyOiing3I6KKeDcgrTQTkdlNNBOR2U00E5HZTTQTkdlNNBOR2U00E5HZTTQTkdlN' +
    'NBOR2U00E5HZTTQTkdlNNBOR2U00E5HZTTQTkdlNNBOR2U00E5HZTTQTkdlNNBOR2U00E5HZTTQTkdlNNBOR2U00E5HZTTQTkdlNNBOR2U00E5' +
    'HZTTQTkdlNNBOR2U00E5HZTTQTkdlNNBOR2U00E5HZTTQTkdlNNBOR2U00E5HZTTQTkdlNNBOR2U00E5HZTTQTkdlNNBOR2U00E5HZTTQTkdlN' +
    'NBOR2U00E5HZTTQTkdlNNBOR2U00E5HZTTQTkdlNNBOR2U00E5HZTTQTkdlNNBOR2U00E5HZQLnA7K6aCcDsrpoJwOyumgnA7K6aCcDsrpoJwO' +
    'yumgnA7K6aCcDsrpoJwOyumgnA7K6aCcDsrpoJwOyumgnA7K6aCcDsrpoJwOyumgnA7K6aCcDsrpoJwOyumgnA7K6aCcDsrpoJwOyumgnA7K6a' +
    'CcDsrpoJwOyumgnA7K6aCcDsrpoJwOyumgnA7K6aCcDsrpoJwOyumgnA7K6aCcDsrpoJwOyumgnA7K6aCcDsrpoJwOyumgnA7K6aCcDsrpoJwO' +
    'yumgnA7K6aCcDsrpoJwOyumgnA7K6aCcDsrpoJwOyumgnA7K6aCcDsrpoJwOyumgnA7K6aCcDsrpoJwOyumgDIsuqATgf+O/fwEUAAABFkAAAA' +
    'Q4gIDx9x9UplP+mqskO/9t5a/J/wICiJnyNVdOp/zFAtCm/Nv8DzDyk51/d6rU5H+V8hcLQAD9p1P+mqskO/9t5a/J/wICEGbK11w5nfIXC0Cb' +
    '8m/zP2DkJzv/7lSpyf8q5S8WgAC6n075a66S7Py3lb8m/wsIIGbK11w5nfIXC0Cb8m/zP2CIn+z8u1OlJv+rlL9YAALoP53y11wl2flvK39N/h' +
    'cQQJQpX3PldMpfLABtyr/N/4CRn+z8u1OlJv+rlL9YAALoX3LKX3OVZOe/rfw1+V9AADFTvubK6ZS/WADalH+b/wEjfrLz706VmvyvUv5iAQig' +
    '/3TKX3OVZOe/rfw1+V9AADGj+Jorp1P+YgFoU/5t/geM/GTn350qNflfpfzFAhBA/8kpf81Vkp3/tvLX5H8BAcRM+Zorp1P+YgFoU/5t/geMfI' +
    'mdf3eq1OR/lfIXC0AA/adT/pqrJDv/beWvyf8CAoiZ4muunE75i0m+9P+mPwD0/////wNd/VudUCpNGAMAAABhYmMotS/9oOAcAwB0CQCyyhYV' +
    'wLcc//z/+pr4/52KRHZ39y6vUXFu//////8/n2tsqYSe123ZVU3Rz+caWyqh53VbdlVT9PO5xpZK6Hndll3VFP18rh3G1lIqJYQGhkA4TCMEBh' +
    'IYRyGOZCkCgJWocGy3xoBSIBKhwg0SaCAIaAg6BD88v///Gwvy9U3tAQK8/21/X7+J37Nv6vtTPO0m43Cbm1UMWACY/xp/qV+DX97X6EuFPluG' +
    'y2k3WHMH7ABm/xp/oV/LL9/X9IWiMc2G7XCa7W0H7ADGf42/1K/jF+9r9CWtLFFZmzna1daGxxbazMlx57ZssJYHmOGWcRY0UxvbNkX1TS7hzN' +
    'tuGzX25GYrE7OhTY1tNdEMijkcF26e7az9NDJrgrJBw2x0RkwWMhOfj8wARjM0EwFZBlUAAAABAN0cC/a5BgI=',
);
/** 30 MB of zeros in 48 bytes. */
export const ZEROS: Uint8Array = bytes('QlpoOTFBWSZTWRkjKSIA5cfAAMAIAAggADDMCappgqEo2qqUJR4u5IpwoSAyRlJE');
export const EMPTY_BZIP2: Uint8Array = bytes('QlpoORdyRThQkAAAAAA=');
export const EMPTY_ZSTD: Uint8Array = bytes('KLUv/SQAAQAAmenYUQ==');
