/** A store of a peer, in a directory. */
interface Engine {
  /** Loads a file of N-Triples or N-Quads. */
  void load(String file) throws Exception;

  long size() throws Exception;

  /** Name and version. */
  String version();

  /** Runs a query and gives its answer to the last term. */
  void run(String query, Answers answers) throws Exception;
}
