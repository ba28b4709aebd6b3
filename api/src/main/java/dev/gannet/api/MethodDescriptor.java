package dev.gannet.api;

import dev.gannet.api.engine.MethodNames;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One remote method: its name, its type and its marshallers. Immutable; compared by identity, so
 * create one per method and keep it.
 *
 * @param <Q> the request message
 * @param <R> the response message
 */
public final class MethodDescriptor<Q, R> {
  /** The effect of calling a method more than once, as declared in the {@code .proto} file. */
  public enum Idempotency {
    UNKNOWN,
    /** Calling twice has the same effect as calling once. */
    IDEMPOTENT,
    /** Calling has no effect at all, so it may be repeated and cached. */
    NO_SIDE_EFFECTS
  }

  private final MethodType type;
  private final String fullMethodName;
  private final Marshaller<Q> requestMarshaller;
  private final Marshaller<R> responseMarshaller;
  private final Idempotency idempotency;
  private final @Nullable Object schemaDescriptor;

  private MethodDescriptor(
      MethodType type,
      String fullMethodName,
      Marshaller<Q> requestMarshaller,
      Marshaller<R> responseMarshaller,
      Idempotency idempotency,
      @Nullable Object schemaDescriptor) {
    this.type = type;
    this.fullMethodName = fullMethodName;
    this.requestMarshaller = requestMarshaller;
    this.responseMarshaller = responseMarshaller;
    this.idempotency = idempotency;
    this.schemaDescriptor = schemaDescriptor;
  }

  /**
   * A method of unknown idempotency and without a schema.
   *
   * @param fullMethodName {@code package.Service/Method}, without a leading slash
   * @throws IllegalArgumentException if the name has no slash inside or begins with one, or has
   *     characters that a path cannot carry
   */
  public static <Q, R> MethodDescriptor<Q, R> of(
      MethodType type, String fullMethodName, Marshaller<Q> request, Marshaller<R> response) {
    return new MethodDescriptor<>(
        type, MethodNames.checked(fullMethodName), request, response, Idempotency.UNKNOWN, null);
  }

  /** This method with another idempotency. */
  public MethodDescriptor<Q, R> withIdempotency(Idempotency idempotency) {
    return new MethodDescriptor<>(
        type, fullMethodName, requestMarshaller, responseMarshaller, idempotency, schemaDescriptor);
  }

  /** This method with a schema object for tools, such as protobuf's method descriptor. */
  public MethodDescriptor<Q, R> withSchemaDescriptor(Object schemaDescriptor) {
    return new MethodDescriptor<>(
        type, fullMethodName, requestMarshaller, responseMarshaller, idempotency, schemaDescriptor);
  }

  /** Whether requests and responses are single messages or streams. */
  public MethodType type() {
    return type;
  }

  /** {@code package.Service/Method}. */
  public String fullMethodName() {
    return fullMethodName;
  }

  /** The part of the name before its last slash. */
  public String serviceName() {
    return fullMethodName.substring(0, fullMethodName.lastIndexOf('/'));
  }

  /** The part of the name after its last slash. */
  public String bareMethodName() {
    return fullMethodName.substring(fullMethodName.lastIndexOf('/') + 1);
  }

  /** Converts requests to bytes and back. */
  public Marshaller<Q> requestMarshaller() {
    return requestMarshaller;
  }

  /** Converts responses to bytes and back. */
  public Marshaller<R> responseMarshaller() {
    return responseMarshaller;
  }

  /** Whether the method may be called again; {@link Idempotency#UNKNOWN} by default. */
  public Idempotency idempotency() {
    return idempotency;
  }

  /** The object of {@link #withSchemaDescriptor}; empty by default. */
  public Optional<Object> schemaDescriptor() {
    return Optional.ofNullable(schemaDescriptor);
  }

  @Override
  public String toString() {
    return fullMethodName + " (" + type + ")";
  }
}
