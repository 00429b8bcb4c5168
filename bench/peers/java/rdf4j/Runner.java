import java.io.File;
import org.eclipse.rdf4j.common.transaction.IsolationLevels;
import org.eclipse.rdf4j.model.Literal;
import org.eclipse.rdf4j.model.Statement;
import org.eclipse.rdf4j.model.Value;
import org.eclipse.rdf4j.query.Binding;
import org.eclipse.rdf4j.query.BindingSet;
import org.eclipse.rdf4j.query.BooleanQuery;
import org.eclipse.rdf4j.query.GraphQuery;
import org.eclipse.rdf4j.query.GraphQueryResult;
import org.eclipse.rdf4j.query.Query;
import org.eclipse.rdf4j.query.QueryLanguage;
import org.eclipse.rdf4j.query.QueryResults;
import org.eclipse.rdf4j.query.TupleQuery;
import org.eclipse.rdf4j.query.TupleQueryResult;
import org.eclipse.rdf4j.repository.RepositoryConnection;
import org.eclipse.rdf4j.repository.sail.SailRepository;
import org.eclipse.rdf4j.rio.ParserConfig;
import org.eclipse.rdf4j.rio.RDFFormat;
import org.eclipse.rdf4j.rio.helpers.BasicParserSettings;
import org.eclipse.rdf4j.sail.lmdb.LmdbStore;
import org.eclipse.rdf4j.sail.lmdb.config.LmdbStoreConfig;

/** RDF4J with its LMDB store, and with indexes that suit each order of a pattern of a triple. */
final class Runner implements Engine {
  private static final String INDEXES = "spoc,posc,ospc";
  private final SailRepository repository;

  private Runner(String directory) {
    repository = new SailRepository(new LmdbStore(new File(directory), new LmdbStoreConfig(INDEXES)));
    repository.init();
  }

  public static void main(String[] args) throws Exception {
    PeerServer.main(args, Runner::new);
  }

  @Override
  public void load(String file) throws Exception {
    try (RepositoryConnection connection = repository.getConnection()) {
      ParserConfig config = new ParserConfig();
      config.set(BasicParserSettings.VERIFY_URI_SYNTAX, false);
      config.set(BasicParserSettings.VERIFY_DATATYPE_VALUES, false);
      config.set(BasicParserSettings.VERIFY_LANGUAGE_TAGS, false);
      connection.setParserConfig(config);
      // Its documentation recommends this level for bulk loads.
      connection.begin(IsolationLevels.NONE);
      // Lines of N-Triples are N-Quads, too.
      connection.add(new File(file), RDFFormat.NQUADS);
      connection.commit();
    }
  }

  @Override
  public long size() {
    try (RepositoryConnection connection = repository.getConnection()) {
      return connection.size();
    }
  }

  @Override
  public String version() {
    return "RDF4J LMDB " + LmdbStore.class.getPackage().getImplementationVersion();
  }

  @Override
  public void run(String text, Answers answers) {
    try (RepositoryConnection connection = repository.getConnection()) {
      Query query = connection.prepareQuery(QueryLanguage.SPARQL, text);
      // The store has no inferred statements.
      query.setIncludeInferred(false);
      if (query instanceof BooleanQuery ask) {
        if (ask.evaluate()) answers.isTrue();
      } else if (query instanceof TupleQuery select) {
        give(select, answers);
      } else {
        give((GraphQuery) query, answers);
      }
    }
  }

  private static void give(TupleQuery query, Answers answers) {
    try (TupleQueryResult rows = query.evaluate()) {
      while (rows.hasNext()) {
        BindingSet row = rows.next();
        for (Binding binding : row) give(binding.getName(), binding.getValue(), answers);
        answers.endOfRow();
      }
    }
  }

  // The stream of a graph query may repeat triples, but a graph has each of them once.
  private static void give(GraphQuery query, Answers answers) {
    try (GraphQueryResult triples = QueryResults.distinctResults(query.evaluate())) {
      while (triples.hasNext()) {
        Statement triple = triples.next();
        give("subject", triple.getSubject(), answers);
        give("predicate", triple.getPredicate(), answers);
        give("object", triple.getObject(), answers);
        answers.endOfRow();
      }
    }
  }

  private static void give(String name, Value value, Answers answers) {
    if (value.isIRI()) answers.iri(name, value.stringValue());
    else if (value.isBNode()) answers.blank(name, value.stringValue());
    else if (value instanceof Literal literal)
      answers.literal(name, value.stringValue(), () -> literal.getDatatype().stringValue());
    else throw new IllegalStateException("a term of this kind is not expected: " + value);
  }
}
