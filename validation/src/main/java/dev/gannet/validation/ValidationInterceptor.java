package dev.gannet.validation;

import build.buf.protovalidate.Config;
import build.buf.protovalidate.Validator;
import build.buf.protovalidate.ValidatorFactory;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import java.util.Objects;

/**
 * Refuses requests that break the rules of their schema, which protovalidate checks: each message
 * of a call, of all kinds of methods.
 *
 * <pre>{@code
 * Server.builder(50051).plaintext().intercept(ValidationInterceptor.create()).add(new MyBooks()).start();
 * }</pre>
 *
 * <p>A call whose request breaks a rule ends with {@code INVALID_ARGUMENT}, and its handler does
 * not see that request. The status has a {@code google.rpc.BadRequest}: a violation for each broken
 * rule, with the path of the field, the message of the rule and its id; the id is the reason, too,
 * in the form that reasons have: {@code STRING_MIN_LEN}. Clients read them with {@code
 * DetailedStatus.of(exception).violatedFields()}.
 *
 * <p>As an interceptor of a client it ends such a call in the same way before the request is sent.
 * Servers check all the same: not all clients do.
 *
 * <p>A rule that is broken itself, because it does not compile or fails, ends the calls that it is
 * for with {@code INTERNAL}; the log says why, once for each type of message. Such a rule is found
 * at the start where the validator is made with {@code buildWithDescriptors}. Messages that are not
 * of protobuf-java have no rules and are passed on.
 *
 * <p>Safe for all threads, as validators are.
 */
public final class ValidationInterceptor implements ServerInterceptor, ClientInterceptor {
  private static final int DEFAULT_MAX_VIOLATIONS = 20;

  private final RequestCheck.Validators validators;
  private final int maxViolations;
  private final BrokenRules brokenRules;

  private ValidationInterceptor(
      RequestCheck.Validators validators, int maxViolations, BrokenRules brokenRules) {
    this.validators = validators;
    this.maxViolations = maxViolations;
    this.brokenRules = brokenRules;
  }

  /**
   * Checks with protovalidate's default validator. The check of a request of 64 KiB or more ends at
   * the first violation, because a request with millions of them would take minutes and gigabytes.
   */
  public static ValidationInterceptor create() {
    Config failFast = Config.newBuilder().setFailFast(true).build();
    return of(
        new RequestCheck.Validators(
            ValidatorFactory.newBuilder().build(),
            ValidatorFactory.newBuilder().withConfig(failFast).build()));
  }

  /**
   * Checks with this validator, whatever the size of a request: for example one with custom rules
   * or types, or one that stops at the first violation.
   *
   * <p>A rule for the elements of a list or a map costs time for each element, and each violation
   * costs some 1,000 bytes. Only the server's {@code maxInboundMessageBytes} limits both, unless
   * the validator stops at the first violation ({@code Config.setFailFast}); then it limits the
   * time.
   */
  public static ValidationInterceptor of(Validator validator) {
    Objects.requireNonNull(validator, "validator");
    return of(new RequestCheck.Validators(validator, validator));
  }

  private static ValidationInterceptor of(RequestCheck.Validators validators) {
    return new ValidationInterceptor(validators, DEFAULT_MAX_VIOLATIONS, new BrokenRules());
  }

  /**
   * Sets the maximum number of violations in a status; 20 by default. The description contains the
   * total number. If the texts of the violations exceed 3 KiB, the status contains fewer, because
   * clients limit the size of trailers.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ValidationInterceptor withMaxViolations(int violations) {
    if (violations <= 0) {
      throw new IllegalArgumentException("maxViolations must be positive: " + violations);
    }
    return new ValidationInterceptor(validators, violations, brokenRules);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return new CheckedRequests<>(call, next.startCall(call, headers), check());
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(
      MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    return new CheckedCall<>(next.newCall(method, options), check());
  }

  private RequestCheck check() {
    return new RequestCheck(validators, maxViolations, brokenRules);
  }
}
