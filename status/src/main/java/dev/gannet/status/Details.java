package dev.gannet.status;

import com.google.protobuf.Any;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Builds the details of a {@link DetailedStatus}: one detail of each kind of {@code
 * google/rpc/error_details.proto}, and any other messages. If a kind is added twice, its lists of
 * violations or links are combined, and single values are replaced. Not safe for concurrent use.
 */
public final class Details {
  private static final int MAX_STACK_ENTRIES = 20; // metadata is small

  private final List<Message.Builder> kinds = new ArrayList<>();
  private final List<Message> others = new ArrayList<>();

  Details() {}

  /** The detail of this kind, which is added when it is first used. */
  private <B extends Message.Builder> B kind(Class<B> type, B fresh) {
    for (Message.Builder kind : kinds) {
      if (type.isInstance(kind)) {
        return type.cast(kind);
      }
    }
    kinds.add(fresh);
    return fresh;
  }

  /**
   * A machine-readable reason for the failure.
   *
   * @param reason a constant of the domain, {@code UPPER_SNAKE_CASE}
   * @param domain the owner of the reason, usually the name of a service
   * @param metadata further information
   */
  public Details errorInfo(String reason, String domain, Map<String, String> metadata) {
    kind(ErrorInfo.Builder.class, ErrorInfo.newBuilder())
        .clear()
        .setReason(reason)
        .setDomain(domain)
        .putAllMetadata(metadata);
    return this;
  }

  /** Asks the client to wait for this time before it retries the call. */
  public Details retryDelay(Duration delay) {
    kind(RetryInfo.Builder.class, RetryInfo.newBuilder())
        .setRetryDelay(
            com.google.protobuf.Duration.newBuilder()
                .setSeconds(delay.getSeconds())
                .setNanos(delay.getNano()));
    return this;
  }

  /**
   * Where the server failed: the first twenty frames of the stack trace. Not for clients that must
   * not see internals of the server.
   */
  public Details debugInfo(Throwable thrown) {
    DebugInfo.Builder info = kind(DebugInfo.Builder.class, DebugInfo.newBuilder()).clear();
    info.setDetail(thrown.toString());
    StackTraceElement[] stack = thrown.getStackTrace();
    for (int i = 0; i < Math.min(stack.length, MAX_STACK_ENTRIES); i++) {
      info.addStackEntries(stack[i].toString());
    }
    return this;
  }

  /** An exhausted quota. */
  public Details violatedQuota(String subject, String description) {
    kind(QuotaFailure.Builder.class, QuotaFailure.newBuilder())
        .addViolationsBuilder()
        .setSubject(subject)
        .setDescription(description);
    return this;
  }

  /**
   * A precondition that was not met.
   *
   * @param type a constant of the service, such as {@code TERMS}
   * @param subject the object concerned
   */
  public Details violatedPrecondition(String type, String subject, String description) {
    kind(PreconditionFailure.Builder.class, PreconditionFailure.newBuilder())
        .addViolationsBuilder()
        .setType(type)
        .setSubject(subject)
        .setDescription(description);
    return this;
  }

  /**
   * An invalid field of the request.
   *
   * @param field its path, such as {@code books[0].title}
   */
  public Details violatedField(String field, String description) {
    return violatedField(field, description, "");
  }

  /**
   * A field of the request that is wrong, with the reason for programs.
   *
   * @param field its path: {@code books[0].title}
   * @param reason a constant, {@code UPPER_SNAKE_CASE} of at most 63 characters
   */
  public Details violatedField(String field, String description, String reason) {
    kind(BadRequest.Builder.class, BadRequest.newBuilder())
        .addFieldViolationsBuilder()
        .setField(field)
        .setDescription(description)
        .setReason(reason);
    return this;
  }

  /**
   * The identification of the request, to find it in the server's log.
   *
   * @param servingData any text for the operators of the server
   */
  public Details requestInfo(String requestId, String servingData) {
    kind(RequestInfo.Builder.class, RequestInfo.newBuilder())
        .setRequestId(requestId)
        .setServingData(servingData);
    return this;
  }

  /** The resource of the request. */
  public Details resourceInfo(String type, String name, String owner, String description) {
    kind(ResourceInfo.Builder.class, ResourceInfo.newBuilder())
        .setResourceType(type)
        .setResourceName(name)
        .setOwner(owner)
        .setDescription(description);
    return this;
  }

  /** A link to documentation. */
  public Details helpLink(String description, String url) {
    kind(Help.Builder.class, Help.newBuilder())
        .addLinksBuilder()
        .setDescription(description)
        .setUrl(url);
    return this;
  }

  /** A text for users, in a language. */
  public Details localizedMessage(Locale locale, String message) {
    kind(LocalizedMessage.Builder.class, LocalizedMessage.newBuilder())
        .setLocale(locale.toLanguageTag())
        .setMessage(message);
    return this;
  }

  /** Any other message; these follow after the kinds above. */
  public Details add(Message detail) {
    others.add(detail);
    return this;
  }

  List<Any> all() {
    List<Any> all = new ArrayList<>();
    kinds.forEach(kind -> all.add(Any.pack(kind.build())));
    others.forEach(other -> all.add(Any.pack(other)));
    return all;
  }
}
