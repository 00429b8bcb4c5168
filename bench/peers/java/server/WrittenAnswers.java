import com.google.gson.Gson;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Writes each row into a file as a line: a JSON list of lists of name, kind, text and datatype. */
final class WrittenAnswers implements Answers, Closeable {
  long rows;
  private final Gson gson = new Gson();
  private final List<List<String>> row = new ArrayList<>();
  private final BufferedWriter out;

  WrittenAnswers(String file) throws IOException {
    out = Files.newBufferedWriter(Path.of(file), StandardCharsets.UTF_8);
  }

  @Override
  public void iri(String name, String value) {
    row.add(List.of(name, "iri", value));
  }

  @Override
  public void blank(String name, String label) {
    row.add(List.of(name, "blank", ""));
  }

  @Override
  public void literal(String name, String text, Supplier<String> datatype) {
    row.add(List.of(name, "literal", text, datatype.get()));
  }

  @Override
  public void endOfRow() {
    try {
      out.write(gson.toJson(row));
      out.write('\n');
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    row.clear();
    rows++;
  }

  @Override
  public void isTrue() {
    rows++;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
