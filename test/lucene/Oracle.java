import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.document.*;
import org.apache.lucene.index.*;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.*;
import org.apache.lucene.store.ByteBuffersDirectory;

/** Reads lines `T text` and `Q question`, each in Base64. Answers the words of a text, and the numbers of the texts that fit with their scores. */
public class Oracle {
  public static void main(String[] args) throws Exception {
    Analyzer analyzer = new StandardAnalyzer();
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(analyzer));
    IndexSearcher searcher = null;
    IndexSearcher.setMaxClauseCount(1000000);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, "UTF-8");
    for (String line; (line = in.readLine()) != null;) {
      String text = new String(Base64.getDecoder().decode(line.substring(2)), StandardCharsets.UTF_8);
      if (line.charAt(0) == 'T') {
        StringBuilder words = new StringBuilder();
        try (TokenStream stream = analyzer.tokenStream("f", text)) {
          CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
          stream.reset();
          while (stream.incrementToken()) words.append(words.length() > 0 ? "\u0001" : "").append(term);
          stream.end();
        }
        out.println(Base64.getEncoder().encodeToString(words.toString().getBytes(StandardCharsets.UTF_8)));
        Document document = new Document();
        document.add(new TextField("f", text, Field.Store.NO));
        writer.addDocument(document);
        continue;
      }
      if (searcher == null) {
        writer.forceMerge(1);
        writer.close();
        searcher = new IndexSearcher(DirectoryReader.open(directory));
      }
      try {
        TopDocs found = searcher.search(new QueryParser("f", analyzer).parse(text), 1000000);
        StringBuilder hits = new StringBuilder("OK");
        for (ScoreDoc hit : found.scoreDocs) hits.append(' ').append(hit.doc).append(':').append(hit.score);
        out.println(hits);
      } catch (Exception error) {
        out.println("ERROR");
      }
    }
    out.flush();
  }
}
