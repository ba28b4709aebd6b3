package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A token is read from its file again as it changes, and kept for a while where that fails. */
final class TokenFileTest {
  private static final Metadata.Key<String> AUTHORIZATION = Metadata.Key.ascii("authorization");
  private static final Duration KEEP = Duration.ofSeconds(60);

  /** After the first failure. */
  private static final Duration MOST_BACKOFF = Duration.ofMillis(1_200);

  @TempDir Path directory;

  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private Path file = Path.of("");
  private long nanos = -7;
  private Instant time = Instant.ofEpochSecond(1_000_000);
  private int versions;
  private TokenFile credentials = new TokenFile(file, KEEP);

  @BeforeEach
  void setUp() {
    file = directory.resolve("token");
    credentials =
        new TokenFile(
            file,
            KEEP,
            new TokenFile.Environment(
                () -> nanos, () -> time, tasks::add, new SplittableRandom(7)));
  }

  /** A call whose details no token file looks at. */
  private static final class NoMatter implements CallCredentials.Request {
    @Override
    public MethodDescriptor<?, ?> method() {
      throw new AssertionError("not looked at");
    }

    @Override
    public String authority() {
      throw new AssertionError("not looked at");
    }

    @Override
    public SecurityLevel securityLevel() {
      throw new AssertionError("not looked at");
    }

    @Override
    public CallOptions options() {
      throw new AssertionError("not looked at");
    }

    @Override
    public Optional<Deadline> deadline() {
      throw new AssertionError("not looked at");
    }

    @Override
    public int previousAttempts() {
      throw new AssertionError("not looked at");
    }

    @Override
    public Optional<Status> previousFailure() {
      throw new AssertionError("not looked at");
    }

    @Override
    public Metadata previousHeaders() {
      throw new AssertionError("not looked at");
    }
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_000L * ++versions));
  }

  private void pass(Duration duration) {
    nanos += duration.toNanos();
    time = time.plus(duration);
  }

  private CompletableFuture<Metadata> ask() {
    return credentials.headersFor(new NoMatter()).toCompletableFuture();
  }

  private void work() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  private String token() {
    CompletableFuture<Metadata> asked = ask();
    work();
    return asked.join().get(AUTHORIZATION).orElseThrow();
  }

  private Status failure() {
    CompletableFuture<Metadata> asked = ask();
    work();
    try {
      throw new AssertionError("not failed: " + asked.join());
    } catch (CompletionException e) {
      return ((StatusException) Objects.requireNonNull(e.getCause())).status();
    }
  }

  private static String jwt(long expires) {
    return jwt("{\"aud\":\"x\", \"exp\": " + expires + "}");
  }

  private static String jwt(String claims) {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    return "e30." + encoder.encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + ".c2ln";
  }

  @Test
  void theFirstCallWaitsForTheFile() throws IOException {
    write("one\n");
    CompletableFuture<Metadata> asked = ask();
    CompletableFuture<Metadata> other = ask();
    assertThat(asked).isNotDone();
    assertThat(tasks).hasSize(1);
    work();
    assertThat(asked.join().get(AUTHORIZATION)).contains("Bearer one");
    assertThat(other).isCompletedWithValue(asked.join());
  }

  @Test
  void aNewTokenIsUsedWithinASecondAndNoCallWaitsForIt() throws IOException {
    write("one");
    assertThat(token()).isEqualTo("Bearer one");
    write("another");
    assertThat(ask()).isDone();
    assertThat(tasks).isEmpty();
    pass(Duration.ofSeconds(1));
    assertThat(token()).isEqualTo("Bearer one");
    assertThat(token()).isEqualTo("Bearer another");
  }

  @Test
  void theTokenOfAnUnchangedFileNeverExpires() throws IOException {
    write("one");
    for (int i = 0; i < 5; i++) {
      assertThat(token()).isEqualTo("Bearer one");
      pass(KEEP);
    }
  }

  @Test
  void aBadFileKeepsTheLastTokenForAWhile() throws IOException {
    write("one");
    assertThat(token()).isEqualTo("Bearer one");
    write("two words");
    pass(Duration.ofSeconds(30));
    assertThat(token()).isEqualTo("Bearer one");
    pass(Duration.ofSeconds(30));
    assertThat(token()).isEqualTo("Bearer one");
    pass(Duration.ofSeconds(1));
    Status failure = failure();
    assertThat(failure.code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(failure.description().orElseThrow())
        .isEqualTo(
            "the token file "
                + file
                + " cannot be used: a token must consist of visible ASCII characters without"
                + " spaces, and must not be empty");
    write("three");
    pass(MOST_BACKOFF);
    assertThat(token()).isEqualTo("Bearer three");
  }

  @Test
  void aFileThatIsGoneIsUnavailable() throws IOException {
    Status failure = failure();
    assertThat(failure.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(failure.description().orElseThrow())
        .isEqualTo("the token file " + file + " cannot be read: there is no such file");
    Files.createDirectory(file);
    pass(MOST_BACKOFF);
    assertThat(failure().code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void aFileOfMoreThanSixteenKibIsRefused() throws IOException {
    write("x".repeat(16 << 10));
    assertThat(token()).hasSize((16 << 10) + "Bearer ".length());
    write("x".repeat((16 << 10) + 1));
    pass(Duration.ofHours(1));
    assertThat(failure().description().orElseThrow()).endsWith("it has more than 16384 bytes");
  }

  @Test
  void aJsonWebTokenIsUsedUntilItExpires() throws IOException {
    write(jwt(time.getEpochSecond() + 40));
    assertThat(token()).startsWith("Bearer e30.");
    pass(Duration.ofSeconds(40));
    Status failure = failure();
    assertThat(failure.code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(failure.description().orElseThrow()).contains("the token has expired at 1970-01-12");
    pass(MOST_BACKOFF);
    write(jwt(time.getEpochSecond() + 40));
    assertThat(token()).startsWith("Bearer e30.");
  }

  @Test
  void aTokenIsNotSentInItsLastThirtySeconds() throws IOException {
    write(jwt(time.getEpochSecond() + 31));
    assertThat(token()).startsWith("Bearer e30.");
    pass(Duration.ofMillis(999));
    assertThat(ask()).isCompleted();
    pass(Duration.ofMillis(1));
    Status failure = failure();
    assertThat(failure.code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(failure.description().orElseThrow())
        .endsWith("the token expires at 1970-01-12T13:47:11Z, in less than 30 s");
  }

  @Test
  void textThatOnlyLooksLikeAJsonWebTokenDoesNotExpire() throws IOException {
    for (String text : new String[] {"a.!.c", "a.e30.c"}) {
      write(text);
      pass(Duration.ofDays(1));
      assertThat(token()).isEqualTo("Bearer " + text);
    }
  }

  /** How long the file is not read after one more failure. */
  private Duration backoff() {
    assertThat(failure().code()).isEqualTo(Status.Code.UNAVAILABLE);
    Duration waited = Duration.ZERO;
    while (ask().isCompletedExceptionally()) {
      pass(Duration.ofMillis(100));
      waited = waited.plusMillis(100);
    }
    assertThat(tasks).hasSize(1);
    return waited;
  }

  @Test
  void afterAFailureTheFileIsNotReadAgainBeforeTheBackoffIsOver() throws IOException {
    Status first = failure();
    write("one");
    CompletableFuture<Metadata> next = ask();
    assertThat(tasks).isEmpty();
    assertThat(next).isCompletedExceptionally();
    assertThat(failure()).isEqualTo(first);
    pass(Duration.ofMillis(799));
    assertThat(ask()).isCompletedExceptionally();
    assertThat(tasks).isEmpty();
    pass(Duration.ofMillis(401));
    assertThat(token()).isEqualTo("Bearer one");
  }

  @Test
  void theBackoffGrowsUntilTheFileIsReadAgain() throws IOException {
    for (double seconds = 1; seconds < 200; seconds *= 1.6) {
      double most = Math.min(seconds, 120);
      assertThat(backoff().toMillis() / 1_000.0).isBetween(0.8 * most, 1.2 * most + 0.1);
    }
    write("one");
    assertThat(token()).isEqualTo("Bearer one");
    Files.delete(file);
    pass(KEEP.plusSeconds(1));
    assertThat(backoff()).isBetween(Duration.ofMillis(800), Duration.ofMillis(1_300));
  }

  @Test
  void withoutAThreadTheCallFailsAndTheNextOneTriesAgain() throws IOException {
    write("one");
    boolean[] full = {true};
    credentials =
        new TokenFile(
            file,
            KEEP,
            new TokenFile.Environment(
                () -> nanos,
                () -> time,
                task -> {
                  if (full[0]) {
                    throw new RejectedExecutionException("full");
                  }
                  task.run();
                },
                new SplittableRandom(7)));
    assertThat(ask()).isCompletedExceptionally();
    full[0] = false;
    assertThat(token()).isEqualTo("Bearer one");
  }

  @Test
  void credentialsOfATokenFileReadItOnTheirOwnThread() throws IOException {
    write("one");
    CallCredentials real = CallCredentials.tokenFile(file);
    Metadata headers = real.headersFor(new NoMatter()).toCompletableFuture().join();
    assertThat(headers.get(AUTHORIZATION)).contains("Bearer one");
    assertThat(real).hasToString("token file " + file);
  }

  @Test
  void bearerAndBasicCredentialsSendTheirHeaderAndCheckTheirArguments() {
    assertThat(headersOf(CallCredentials.bearer("abc"))).isEqualTo("Bearer abc");
    assertThat(headersOf(CallCredentials.basic("Aladdin", "open sesame")))
        .isEqualTo("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    assertThat(CallCredentials.bearer("abc")).hasToString("bearer token");
    assertThatThrownBy(() -> CallCredentials.bearer("a b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CallCredentials.basic("a:b", "c")).hasMessageContaining("RFC 7617");
    assertThatThrownBy(() -> CallCredentials.tokenFile(file, Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String headersOf(CallCredentials credentials) {
    return credentials
        .headersFor(new NoMatter())
        .toCompletableFuture()
        .join()
        .get(AUTHORIZATION)
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"exp\": 4.0e9}",
        "{\"exp\":1.5E6}",
        "{\"exp\":2000000.5}",
        "{\"act\":{\"exp\":5},\"exp\":4000000000}",
        "{\"exp\":4000000000,\"act\":{\"exp\":5}}",
        "{\"act\":[{\"exp\":5}]}",
        "{\"note\":\"\\\"exp\\\":5\",\"exp\":4000000000}",
        "{\"note\":\"exp\",\"sub\":5}",
        "{\"exp\":1e999}",
        "{\"exp\":\"5\"}",
        "{\"exp\":5x}",
        "{\"exp\":",
        "{\"exp",
        "{\"exp\":null}",
        "}}\"exp\":5"
      })
  void aTokenIsSentUnlessItsOwnClaimSaysThatItHasExpired(String claims) throws IOException {
    String token = jwt(claims);
    write(token);
    assertThat(token()).isEqualTo("Bearer " + token);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"exp\":1e6}",
        "{ \"exp\" : 999999.75 }",
        "{\"act\":{\"exp\":4000000000},\"exp\":5}",
        "{\"exp\":-1e999}",
        "{\"aud\":[\"a\",{\"b\":\"}\"}],\"exp\":5}"
      })
  void aTokenHasExpiredAtTheTimeOfItsClaimHoweverThatIsWritten(String claims) throws IOException {
    write(jwt(claims));
    assertThat(failure().code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(failure().description().orElseThrow()).contains("the token has expired at ");
  }
}
