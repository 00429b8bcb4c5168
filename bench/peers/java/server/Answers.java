import java.util.function.Supplier;

/** Receives the terms of an answer, row by row. */
interface Answers {
  void iri(String name, String value);

  void blank(String name, String label);

  /** @param datatype called only by receivers that need the datatype */
  void literal(String name, String text, Supplier<String> datatype);

  void endOfRow();

  /** The answer of ASK is true. */
  void isTrue();
}
