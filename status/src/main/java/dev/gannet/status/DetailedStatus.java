package dev.gannet.status;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.DebugInfo;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Help;
import com.google.rpc.LocalizedMessage;
import com.google.rpc.PreconditionFailure;
import com.google.rpc.QuotaFailure;
import com.google.rpc.RequestInfo;
import com.google.rpc.ResourceInfo;
import com.google.rpc.RetryInfo;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A status with structured details, which is sent as {@code google.rpc.Status} in the trailer
 * {@code grpc-status-details-bin}. Immutable.
 *
 * <p>A handler throws one:
 *
 * <pre>
 *   throw DetailedStatus.of(
 *           Status.INVALID_ARGUMENT.withDescription("no such book"),
 *           details ->
 *               details
 *                   .violatedField("title", "must not be empty")
 *                   .errorInfo("NO_TITLE", "books.example", Map.of("shelf", "7")))
 *       .asException();
 * </pre>
 *
 * <p>and its client reads it:
 *
 * <pre>
 *   } catch (StatusException e) {
 *     Optional&lt;Duration&gt; delay = DetailedStatus.of(e).retryDelay();
 * </pre>
 *
 * <p>Clients accept as much metadata as their {@code maxInboundMetadataBytes}, 8 KiB by default, of
 * which base64 uses a third: so about 5 KiB of details are possible. With more, the call ends with
 * another status.
 */
public final class DetailedStatus {
  private static final Metadata.Key<byte[]> TRAILER =
      Metadata.Key.binary("grpc-status-details-bin");

  private static final long MAX_SECONDS = 315_576_000_000L; // about 10,000 years
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Status status;
  private final List<Any> details;

  private DetailedStatus(Status status, List<Any> details) {
    this.status = status;
    this.details = List.copyOf(details);
  }

  /**
   * A status with these details.
   *
   * @throws IllegalArgumentException if the status is {@code OK}
   */
  public static DetailedStatus of(Status status, Consumer<Details> details) {
    if (status.isOk()) {
      throw new IllegalArgumentException("a status with code OK has no error details");
    }
    Details made = new Details();
    details.accept(made);
    return new DetailedStatus(status, made.all());
  }

  /**
   * The status of a failed call, with the details that its server has sent; without details if it
   * sent none, or unreadable ones. Code and description are those of the call, even if the details
   * contain others.
   */
  public static DetailedStatus of(StatusException thrown) {
    return of(thrown.status(), thrown.trailers());
  }

  /** Like {@link #of(StatusException)}, for the end that a call's listener receives. */
  public static DetailedStatus of(Status status, Metadata trailers) {
    return new DetailedStatus(
        status,
        trailers
            .get(TRAILER)
            .flatMap(DetailedStatus::parse)
            .map(com.google.rpc.Status::getDetailsList)
            .orElse(List.of()));
  }

  private static Optional<com.google.rpc.Status> parse(byte[] bytes) {
    try {
      return Optional.of(com.google.rpc.Status.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  /** The code and the description. */
  public Status status() {
    return status;
  }

  /** All details in their order, including those of unknown types. */
  public List<Any> details() {
    return details;
  }

  /** The details of a type in their order; unreadable ones are omitted. */
  public <T extends Message> List<T> all(Class<T> type) {
    List<T> found = new ArrayList<>();
    for (Any detail : details) {
      if (detail.is(type)) {
        unpack(detail, type).ifPresent(found::add);
      }
    }
    return found;
  }

  private static <T extends Message> Optional<T> unpack(Any detail, Class<T> type) {
    try {
      return Optional.of(detail.unpack(type));
    } catch (InvalidProtocolBufferException e) {
      return Optional.empty();
    }
  }

  /** The first detail of that type. */
  public <T extends Message> Optional<T> find(Class<T> type) {
    return all(type).stream().findFirst();
  }

  /** A machine-readable reason for the failure: {@link Details#errorInfo}. */
  public Optional<ErrorInfo> errorInfo() {
    return find(ErrorInfo.class);
  }

  /** The delay after which the call may be retried: {@link Details#retryDelay}. */
  public Optional<Duration> retryDelay() {
    return find(RetryInfo.class)
        .filter(RetryInfo::hasRetryDelay)
        .map(RetryInfo::getRetryDelay)
        .filter(DetailedStatus::isValid)
        .map(it -> Duration.ofSeconds(it.getSeconds(), it.getNanos()));
  }

  /** Whether it is in the range of google.protobuf.Duration: a peer may send anything. */
  private static boolean isValid(com.google.protobuf.Duration duration) {
    return Math.abs((double) duration.getSeconds()) <= MAX_SECONDS
        && Math.abs((long) duration.getNanos()) < NANOS_PER_SECOND;
  }

  /** Where the server failed: {@link Details#debugInfo}. */
  public Optional<DebugInfo> debugInfo() {
    return find(DebugInfo.class);
  }

  /** The exhausted quotas: {@link Details#violatedQuota}. */
  public List<QuotaFailure.Violation> violatedQuotas() {
    return find(QuotaFailure.class).map(QuotaFailure::getViolationsList).orElse(List.of());
  }

  /** The preconditions that were not met: {@link Details#violatedPrecondition}. */
  public List<PreconditionFailure.Violation> violatedPreconditions() {
    return find(PreconditionFailure.class)
        .map(PreconditionFailure::getViolationsList)
        .orElse(List.of());
  }

  /** The invalid fields of the request: {@link Details#violatedField}. */
  public List<BadRequest.FieldViolation> violatedFields() {
    return find(BadRequest.class).map(BadRequest::getFieldViolationsList).orElse(List.of());
  }

  /** The identification of the request: {@link Details#requestInfo}. */
  public Optional<RequestInfo> requestInfo() {
    return find(RequestInfo.class);
  }

  /** The resource of the request: {@link Details#resourceInfo}. */
  public Optional<ResourceInfo> resourceInfo() {
    return find(ResourceInfo.class);
  }

  /** Links to documentation: {@link Details#helpLink}. */
  public List<Help.Link> helpLinks() {
    return find(Help.class).map(Help::getLinksList).orElse(List.of());
  }

  /** A text for users: {@link Details#localizedMessage}. */
  public Optional<LocalizedMessage> localizedMessage() {
    return find(LocalizedMessage.class);
  }

  /** The message that is sent. */
  public com.google.rpc.Status toProto() {
    return com.google.rpc.Status.newBuilder()
        .setCode(status.code().value())
        .setMessage(status.description().orElse(""))
        .addAllDetails(details)
        .build();
  }

  /** Trailers with the details, for handlers that close their call themselves. */
  public Metadata toTrailers() {
    Metadata trailers = new Metadata();
    trailers.set(TRAILER, toProto().toByteArray());
    return trailers;
  }

  /** An exception for a handler to throw: its client gets the status with its details. */
  public StatusException asException() {
    return status.asException(toTrailers());
  }

  /** Code and description, and the types of the details. */
  @Override
  public String toString() {
    return status + " " + details.stream().map(Any::getTypeUrl).toList();
  }
}
