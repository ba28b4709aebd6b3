package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.server.HandlerRegistry;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * An interceptor that denies a method by its name denies it: of all the forms in which a request
 * may write a path, an authority or a host, none but the canonical one reaches an interceptor, a
 * registry or a handler.
 */
final class CanonicalPathsTest {
  private static final int FORMS = 10_000;
  private static final long SEED = 20_250_101;
  private static final String DENIED = "/" + Texts.UNARY.fullMethodName();
  private static final String OPEN = "/" + Texts.BIDI.fullMethodName();
  private static final int PATH = 4; // in HPACK's static table, as the next
  private static final int AUTHORITY = 1;

  /** What interceptors have seen: the method and the authority. */
  private record Seen(String path, String authority) {}

  private final List<Seen> seen = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private int denied;
  private int handled;
  private final Simulation simulation = new Simulation();
  private final Random random = new Random(SEED);

  private final class Deny implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      MethodDescriptor<Q, R> method = call.method();
      seen.add(new Seen("/" + method.fullMethodName(), call.context().authority()));
      if (method.fullMethodName().equals(Texts.UNARY.fullMethodName())) {
        call.close(Status.PERMISSION_DENIED, new Metadata());
        return new ServerCall.Listener<>() {};
      }
      return next.startCall(call, headers);
    }
  }

  /** Has nothing, and remembers what it was asked for. */
  private HandlerRegistry nothing() {
    return name -> {
      asked.add(name);
      return Optional.empty();
    };
  }

  private ServerCall.Listener<String> deniedAfterAll(
      ServerCall<String, String> call, Metadata headers) {
    denied++;
    throw new AssertionError("the method that is denied was called");
  }

  private ServerCall.Listener<String> handle(ServerCall<String, String> call, Metadata headers) {
    handled++;
    call.close(Status.OK, new Metadata());
    return new ServerCall.Listener<>() {};
  }

  private <T> T oneOf(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String percent(char c) {
    String form = random.nextBoolean() ? "%%%02x" : "%%%02X";
    return form.formatted((int) c);
  }

  /** The path with one thing changed somewhere; sometimes it stays as it is. */
  private String changed(String path) {
    int at = random.nextInt(path.length());
    String before = path.substring(0, at);
    char here = path.charAt(at);
    String after = path.substring(at + 1);
    return switch (random.nextInt(20)) {
      case 0 -> before + percent(here) + after;
      case 1 -> before + percent('%') + percent(here).substring(1) + after;
      case 2 -> before + Character.toUpperCase(here) + after;
      case 3 -> before + Character.toLowerCase(here) + after;
      case 4 -> before + here + here + after;
      case 5 -> before + after;
      case 6 -> before + here + oneOf(List.of("/", "//", "/./", "/../", "\\", ".", "..")) + after;
      case 7 ->
          path + oneOf(List.of("/", "/.", "//", "?", "?a=b", "#", "#a", ";a=b", "%00", "%20"));
      case 8 -> oneOf(List.of("/", "//", "/.", "/a/..", ".", "", "/./")) + path;
      case 9 -> oneOf(List.of("http://server", "http://", "//server", "server", "*")) + path;
      case 10 -> path + (char) random.nextInt(0x21);
      case 11 -> (char) random.nextInt(0x21) + path;
      case 12 -> before + (char) random.nextInt(256) + after;
      case 13 -> before + here + (char) random.nextInt(256) + after;
      case 14 -> before + (char) 0xc0 + (char) (0x80 | (here & 0x3f)) + after; // overlong UTF-8
      case 15 -> path.substring(1);
      case 16 -> path.replace('/', '\\');
      case 17 -> path.replace("/", "%2f");
      case 18 -> path + path;
      default -> path;
    };
  }

  private String authority() {
    return oneOf(
        List.of(
            "server",
            "SERVER",
            "server:80",
            "server.",
            "user@server",
            "server/path",
            "server?a",
            "server#a",
            "server,other",
            "ser ver",
            "server\u0000",
            "server:70000",
            "server:",
            ":80",
            "[::1]:80",
            "%73erver",
            "s\u00e9rver",
            ""));
  }

  private record Form(List<String> paths, List<String> authorities, List<String> hosts) {
    boolean isCanonical(String path) {
      return paths.equals(List.of(path));
    }

    byte[] block() {
      ByteArrayOutputStream fields = new ByteArrayOutputStream();
      paths.forEach(it -> RawClient.literal(fields, PATH, it));
      authorities.forEach(it -> RawClient.literal(fields, AUTHORITY, it));
      hosts.forEach(it -> RawClient.hostField(fields, it));
      return RawClient.request(fields.toByteArray());
    }
  }

  private List<String> some(int most, Supplier<String> of) {
    List<String> all = new ArrayList<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      all.add(of.get());
    }
    return all;
  }

  private Form form() {
    String path = random.nextInt(8) == 0 ? OPEN : DENIED;
    for (int i = random.nextInt(3); i > 0; i--) {
      path = path.isEmpty() ? path : changed(path);
    }
    List<String> paths =
        random.nextInt(20) == 0 ? List.of(path, oneOf(List.of(OPEN, DENIED))) : List.of(path);
    boolean plain = random.nextBoolean();
    List<String> authorities = plain ? List.of("server") : some(2, this::authority);
    return new Form(paths, authorities, plain ? List.of() : some(2, this::authority));
  }

  @Test
  void onlyTheCanonicalPathReachesAnInterceptor() {
    Simulation.start(
        simulation
            .with(Texts.UNARY, this::deniedAfterAll)
            .with(Texts.BIDI, this::handle)
            .serverBuilder()
            .addFallbackHandlerRegistry(nothing())
            .intercept(new Deny()));
    RawClient client = RawClient.introduced(simulation);
    int reached = 0;
    int nextStream = 1;
    for (int i = 0; i < FORMS; i++) {
      Form form = form();
      seen.clear();
      asked.clear();
      if (client.isClosed() || client.heard(RawClient.GOAWAY).size() > 0) {
        client = RawClient.introduced(simulation);
        nextStream = 1;
      }
      client.says(
          RawClient.HEADERS,
          RawClient.END_HEADERS | RawClient.END_STREAM,
          nextStream,
          form.block());
      nextStream += 2;
      simulation.run();
      assertThat(denied).as("form %d of seed %d: %s", i, SEED, form).isZero();
      for (Seen one : seen) {
        assertThat(form.isCanonical(one.path)).as("form %d of seed %d: %s", i, SEED, form).isTrue();
        assertThat(one.authority)
            .as("form %d of seed %d: %s", i, SEED, form)
            .isEqualTo(named(form));
      }
      for (String name : asked) {
        assertThat(form.isCanonical("/" + name))
            .as("form %d of seed %d: %s", i, SEED, form)
            .isTrue();
        assertThat(List.of(OPEN, DENIED)).doesNotContain("/" + name);
      }
      reached += seen.size();
    }
    assertThat(reached).as("forms that reached the interceptor").isBetween(500, FORMS / 2);
    assertThat(handled).as("and the open method").isPositive();
  }

  /** What the request names as its authority (gRFC A41). */
  private static String named(Form form) {
    boolean unnamed = form.authorities.isEmpty() || form.authorities.getFirst().isEmpty();
    return unnamed && !form.hosts.isEmpty()
        ? form.hosts.getFirst()
        : String.join("", form.authorities);
  }
}
