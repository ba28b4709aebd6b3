package dev.gannet.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.StringValue;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Help;
import com.google.rpc.PreconditionFailure;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RetryInfo;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Marshallers;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statuses with details, from a handler that throws them to the client that catches them. */
@Timeout(30)
final class DetailedStatusTest {
  private static final Status WRONG =
      Status.INVALID_ARGUMENT.withDescription("no such book: „Emma“");
  private static final Metadata.Key<byte[]> TRAILER =
      Metadata.Key.binary("grpc-status-details-bin");
  private static final MethodDescriptor<String, String> METHOD =
      MethodDescriptor.of(
          MethodType.UNARY, "books.Shelf/Find", Marshallers.utf8(), Marshallers.utf8());

  /** What a client catches whose handler throws that. */
  private static StatusException caught(StatusException thrown) throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            "books.Shelf",
            List.of(
                ServerMethodDefinition.of(
                    METHOD,
                    BlockingHandlers.<String, String>unary(request -> {
                      throw thrown;
                    }))));
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Server server = Server.builder(any).add(service).start();
        ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build()) {
      return catchThrowableOfType(
          StatusException.class,
          () -> BlockingCalls.unary(channel, METHOD, CallOptions.DEFAULT, "Emma"));
    }
  }

  private static DetailedStatus received(Consumer<Details> details) throws IOException {
    return DetailedStatus.of(caught(DetailedStatus.of(WRONG, details).asException()));
  }

  @Test
  void eachKindOfDetailReachesTheClient() throws IOException {
    DetailedStatus got =
        received(it ->
            it.errorInfo("NO_BOOK", "books.example", Map.of("shelf", "7"))
                .retryDelay(Duration.ofMillis(1_500))
                .debugInfo(new IllegalStateException("no shelf"))
                .violatedQuota("user:ada", "one book a day")
                .violatedPrecondition("TERMS", "ada", "not accepted")
                .violatedField("title", "must not be empty")
                .requestInfo("id-1", "log 7")
                .resourceInfo("book", "Emma", "ada", "it is lent")
                .helpLink("The library", "https://books.example/help")
                .localizedMessage(Locale.UK, "We have no such book."));

    assertThat(got.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(got.status().description()).isEqualTo(WRONG.description());
    assertThat(got.details()).hasSize(10);
    assertThat(got.errorInfo().orElseThrow().getReason()).isEqualTo("NO_BOOK");
    assertThat(got.errorInfo().orElseThrow().getDomain()).isEqualTo("books.example");
    assertThat(got.errorInfo().orElseThrow().getMetadataMap()).containsEntry("shelf", "7");
    assertThat(got.retryDelay()).contains(Duration.ofMillis(1_500));
    assertThat(got.debugInfo().orElseThrow().getDetail()).contains("no shelf");
    assertThat(got.debugInfo().orElseThrow().getStackEntriesList()).hasSizeBetween(1, 20);
    assertThat(got.violatedQuotas())
        .extracting(QuotaFailure.Violation::getSubject)
        .containsExactly("user:ada");
    assertThat(got.violatedPreconditions())
        .extracting(PreconditionFailure.Violation::getType)
        .containsExactly("TERMS");
    assertThat(got.violatedFields())
        .extracting(BadRequest.FieldViolation::getField)
        .containsExactly("title");
    assertThat(got.requestInfo().orElseThrow().getRequestId()).isEqualTo("id-1");
    assertThat(got.resourceInfo().orElseThrow().getResourceName()).isEqualTo("Emma");
    assertThat(got.helpLinks())
        .extracting(Help.Link::getUrl)
        .containsExactly("https://books.example/help");
    assertThat(got.localizedMessage().orElseThrow().getLocale()).isEqualTo("en-GB");
  }

  @Test
  void detailsOfOneKindAreMergedIntoOne() throws IOException {
    DetailedStatus got =
        received(it ->
            it.violatedField("title", "must not be empty")
                .errorInfo("FIRST", "a", Map.of("k", "v"))
                .violatedField("author", "is not known")
                .errorInfo("SECOND", "b", Map.of()));
    assertThat(got.details()).hasSize(2);
    assertThat(got.violatedFields())
        .extracting(BadRequest.FieldViolation::getField)
        .containsExactly("title", "author");
    assertThat(got.errorInfo().orElseThrow().getReason()).isEqualTo("SECOND");
    assertThat(got.errorInfo().orElseThrow().getMetadataMap()).isEmpty();
  }

  @Test
  void anyOtherMessageTravelsToo() throws IOException {
    DetailedStatus got = received(it -> it.add(StringValue.of("one")).add(StringValue.of("two")));
    assertThat(got.all(StringValue.class))
        .extracting(StringValue::getValue)
        .containsExactly("one", "two");
    assertThat(got.find(StringValue.class)).contains(StringValue.of("one"));
    assertThat(got.errorInfo()).isEmpty();
    assertThat(got)
        .hasToString(got.status() + " " + got.details().stream().map(Any::getTypeUrl).toList());
  }

  @Test
  void aRetryDelayOutsideOfItsRangeIsNone() throws IOException {
    com.google.protobuf.Duration tooLong =
        com.google.protobuf.Duration.newBuilder()
            .setSeconds(Long.MAX_VALUE)
            .setNanos(1_000_000_000)
            .build();
    DetailedStatus got =
        received(it -> it.add(RetryInfo.newBuilder().setRetryDelay(tooLong).build()));
    assertThat(got.retryDelay()).isEmpty();
  }

  @Test
  void aStatusWithoutDetailsHasNone() throws IOException {
    DetailedStatus got = DetailedStatus.of(caught(WRONG.asException()));
    assertThat(got.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(got.details()).isEmpty();
    assertThat(got.retryDelay()).isEmpty();
    assertThat(got.violatedFields()).isEmpty();
    assertThat(got.violatedQuotas()).isEmpty();
    assertThat(got.violatedPreconditions()).isEmpty();
    assertThat(got.helpLinks()).isEmpty();
  }

  @Test
  void unreadableDetailsAreIgnored() throws IOException {
    Metadata broken = new Metadata();
    broken.add(TRAILER, new byte[] {-1, -1, -1});
    assertThat(DetailedStatus.of(caught(WRONG.asException(broken))).details()).isEmpty();

    Any lie =
        Any.pack(ErrorInfo.getDefaultInstance()).toBuilder()
            .setValue(ByteString.copyFrom(new byte[] {-1}))
            .build();
    Metadata lying = new Metadata();
    lying.add(TRAILER, com.google.rpc.Status.newBuilder().addDetails(lie).build().toByteArray());
    DetailedStatus got = DetailedStatus.of(caught(WRONG.asException(lying)));
    assertThat(got.details()).containsExactly(lie);
    assertThat(got.errorInfo()).isEmpty();
  }

  @Test
  void theStatusOfTheCallHasPriorityOverTheDetails() throws IOException {
    Metadata other = new Metadata();
    other.add(
        TRAILER,
        com.google.rpc.Status.newBuilder().setCode(5).setMessage("other").build().toByteArray());
    DetailedStatus got = DetailedStatus.of(caught(WRONG.asException(other)));
    assertThat(got.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(got.toProto().getCode()).isEqualTo(3);
    assertThat(got.toProto().getMessage()).contains("no such book");
  }

  @Test
  void aStatusThatIsPassedOnKeepsItsDetails() throws IOException {
    StatusException inner =
        caught(DetailedStatus.of(WRONG, it -> it.retryDelay(Duration.ofSeconds(3))).asException());
    assertThat(DetailedStatus.of(caught(inner.passOn())).retryDelay())
        .contains(Duration.ofSeconds(3));
  }

  @Test
  void detailsForOkAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DetailedStatus.of(Status.OK, it -> it.retryDelay(Duration.ZERO)));
  }

  /** The published messages name an older one. */
  @Test
  void theProtobufVersionOfTheBuildIsUsed() throws IOException {
    Matcher version =
        Pattern.compile("<protobuf.version>(.+)</protobuf.version>")
            .matcher(Files.readString(Path.of("../pom.xml")));
    assertThat(version.find()).isTrue();
    String jar = Message.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    assertThat(jar).endsWith("/protobuf-java-" + version.group(1) + ".jar");
  }

  @Test
  void aViolatedFieldMayHaveAReasonForPrograms() throws IOException {
    DetailedStatus received =
        received(details -> details.violatedField("title", "must not be empty", "TITLE_EMPTY"));

    assertThat(received.violatedFields())
        .extracting(BadRequest.FieldViolation::getReason)
        .containsExactly("TITLE_EMPTY");
  }
}
