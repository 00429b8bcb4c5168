import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Answers lines of standard input by lines of standard output, all of them JSON. bench/src/peers/peer-process.ts
 * describes them.
 */
final class PeerServer {
  private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
  private final PrintStream out;

  /** Opens the store of a directory. */
  interface Opening {
    Engine open(String directory) throws Exception;
  }

  private PeerServer(PrintStream out) {
    this.out = out;
  }

  /** @param args the directory of the store, then the file to load unless the store has been loaded */
  static void main(String[] args, Opening opening) throws Exception {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    // Libraries print progress. It must not mix with replies.
    System.setOut(System.err);
    Engine engine = opening.open(args[0]);
    if (args.length > 1) engine.load(args[1]);
    JsonObject ready = new JsonObject();
    ready.addProperty("quads", engine.size());
    ready.addProperty("version", engine.version() + ", Java " + System.getProperty("java.version"));
    PeerServer server = new PeerServer(out);
    server.say(ready);
    Thread reader = new Thread(server::readRequests);
    reader.setDaemon(true);
    reader.start();
    while (true) server.say(server.answer(engine, server.requests.take()));
  }

  /** Ends this process when the benchmark ends, even while a query runs. */
  private void readRequests() {
    try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) requests.add(line);
    } catch (IOException error) {
      System.err.println(error);
    }
    Runtime.getRuntime().halt(0);
  }

  private void say(JsonObject reply) {
    out.println(new Gson().toJson(reply));
    out.flush();
  }

  private JsonObject answer(Engine engine, String line) {
    JsonObject reply = new JsonObject();
    try {
      JsonObject request = JsonParser.parseString(line).getAsJsonObject();
      String query = request.get("query").getAsString();
      long begin = System.nanoTime();
      long rows = request.has("answer") ? written(engine, query, request.get("answer").getAsString()) : touched(engine, query);
      reply.addProperty("ns", System.nanoTime() - begin);
      reply.addProperty("rows", rows);
    } catch (Throwable error) {
      // Also exhausted memory and stack: another query may still succeed.
      reply.addProperty("error", error.toString());
    }
    return reply;
  }

  private static long touched(Engine engine, String query) throws Exception {
    TouchedAnswers answers = new TouchedAnswers();
    engine.run(query, answers);
    return answers.rows;
  }

  private static long written(Engine engine, String query, String file) throws Exception {
    try (WrittenAnswers answers = new WrittenAnswers(file)) {
      engine.run(query, answers);
      return answers.rows;
    }
  }
}
