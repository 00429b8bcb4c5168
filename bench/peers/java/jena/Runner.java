import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.jena.graph.Graph;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.query.ReadWrite;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.Var;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.exec.QueryExec;
import org.apache.jena.sparql.exec.RowSet;
import org.apache.jena.tdb2.DatabaseMgr;
import org.apache.jena.tdb2.loader.Loader;
import org.apache.jena.tdb2.solver.stats.Stats;
import org.apache.jena.tdb2.sys.TDBInternal;

/** Jena TDB2 with its bulk loader, and with statistics, which its documentation recommends for the optimizer. */
final class Runner implements Engine {
  private final String directory;
  private DatasetGraph dataset;

  private Runner(String directory) {
    this.directory = directory;
    this.dataset = DatabaseMgr.connectDatasetGraph(directory);
  }

  public static void main(String[] args) throws Exception {
    PeerServer.main(args, Runner::new);
  }

  @Override
  public void load(String file) throws IOException {
    Loader.load(dataset, List.of(file), false);
    dataset.begin(ReadWrite.READ);
    try {
      String statistics = TDBInternal.getDatasetGraphTDB(dataset).getLocation().getPath("stats.opt");
      Stats.write(statistics, Stats.gather(dataset.getDefaultGraph()).results());
    } finally {
      dataset.end();
    }
    // Statistics are read when a database is opened.
    TDBInternal.expel(dataset);
    dataset = DatabaseMgr.connectDatasetGraph(directory);
  }

  @Override
  public long size() {
    dataset.begin(ReadWrite.READ);
    try {
      long size = dataset.getDefaultGraph().size();
      Iterator<Node> graphs = dataset.listGraphNodes();
      while (graphs.hasNext()) size += dataset.getGraph(graphs.next()).size();
      return size;
    } finally {
      dataset.end();
    }
  }

  @Override
  public String version() {
    return "Jena TDB2 " + org.apache.jena.Jena.VERSION;
  }

  @Override
  public void run(String query, Answers answers) {
    dataset.begin(ReadWrite.READ);
    try (QueryExec execution = QueryExec.dataset(dataset).query(query).build()) {
      if (execution.getQuery().isAskType()) {
        if (execution.ask()) answers.isTrue();
      } else if (execution.getQuery().isSelectType()) {
        give(execution.select(), answers);
      } else {
        give(execution.getQuery().isDescribeType() ? execution.describe() : execution.construct(), answers);
      }
    } finally {
      dataset.end();
    }
  }

  private static void give(RowSet rows, Answers answers) {
    List<Var> variables = rows.getResultVars();
    while (rows.hasNext()) {
      Binding row = rows.next();
      for (Var variable : variables) {
        Node value = row.get(variable);
        if (value != null) give(variable.getVarName(), value, answers);
      }
      answers.endOfRow();
    }
  }

  private static void give(Graph graph, Answers answers) {
    Iterator<Triple> triples = graph.find();
    while (triples.hasNext()) {
      Triple triple = triples.next();
      give("subject", triple.getSubject(), answers);
      give("predicate", triple.getPredicate(), answers);
      give("object", triple.getObject(), answers);
      answers.endOfRow();
    }
  }

  private static void give(String name, Node node, Answers answers) {
    if (node.isURI()) answers.iri(name, node.getURI());
    else if (node.isBlank()) answers.blank(name, node.getBlankNodeLabel());
    else if (node.isLiteral()) answers.literal(name, node.getLiteralLexicalForm(), node::getLiteralDatatypeURI);
    else throw new IllegalStateException("a term of this kind is not expected: " + node);
  }
}
