package dev.gannet.suites;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.CallStatuses;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ExceededDeadline;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.RegistryFailures;
import dev.gannet.transport.RetryTarget;
import dev.gannet.transport.Scheduler.Cancellable;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.settings.ServerDeadline;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A call on a {@link DirectConnection}: the client's stream, and the events of both ends. Commands
 * run as tasks of the loop, in the order of the flushes. An object has no size, so no limit of
 * sizes applies to it, and tracers are given 0.
 */
final class DirectCall<Q, R> implements ClientStream<Q> {
  private static final Status CANCELLED =
      Status.CANCELLED.withDescription("the client has cancelled the call");

  /** A message of the client; without one, its half-close. */
  private record Command<Q>(@Nullable Q message) {
    void playTo(ClientStream<Q> stream) {
      if (message != null) {
        stream.send(message, false);
      } else {
        stream.halfClose();
      }
      stream.flush();
    }
  }

  private final DirectConnection connection;
  private final CallStart<Q, R> start;
  private final ClientCallEventListener client;
  private final Backlog toServer = new Backlog(() -> notifyClient(new CallEvent.Ready()));
  private final Backlog toClient = new Backlog(() -> notifyServer(new CallEvent.Ready()));
  private List<Command<Q>> commands = new ArrayList<>();
  private boolean flushed;

  // The loop's.
  private @Nullable ServerCallEventListener server;
  private @Nullable Cancellable timer;
  private @Nullable RetryTarget movedTo;
  private boolean singleRequestCame;
  private boolean singleRequest;
  private boolean clientEnded;
  private boolean serverEnded;
  private boolean endMayWait;

  DirectCall(DirectConnection connection, CallStart<Q, R> start, ClientCallEventListener client) {
    this.connection = connection;
    this.start = start;
    this.client = client;
  }

  @Override
  public void send(Q message, boolean compressed) {
    toServer.add();
    commands.add(new Command<>(message));
  }

  @Override
  public void sendFramed(ByteBuffer frame) {
    throw new UnsupportedOperationException("messages are objects here");
  }

  @Override
  public void halfClose() {
    commands.add(new Command<>(null));
  }

  @Override
  public void flush() {
    List<Command<Q>> taken = commands;
    commands = new ArrayList<>();
    if (!flushed) {
      flushed = true;
      execute(this::begin);
    }
    taken.forEach(command -> execute(() -> onCommand(command)));
  }

  @Override
  public void cancel(Status status) {
    execute(() -> onCancel(status));
  }

  @Override
  public boolean isReady() {
    return !clientEnded && toServer.isShort();
  }

  @Override
  public void consumed(int heldBytes) {
    execute(toClient::take);
  }

  @Override
  public void requested() {}

  private void begin() {
    if (clientEnded) {
      return;
    }
    if (!connection.add(this)) {
      moveElsewhere(DirectTransport.gone("the connection is shut down"));
      return;
    }
    if (client.isTraced()) {
      client.onHeadersSent(info(), authority());
    }
    Optional<? extends ServerMethod<?, ?>> method;
    try {
      method = connection.find(start.method().fullMethodName());
    } catch (Throwable e) {
      RegistryFailures.log(e);
      refuse(Optional.empty(), RegistryFailures.STATUS);
      return;
    }
    if (method.isEmpty()) {
      refuse(method, CallStatuses.unknownMethod(start.method().fullMethodName()));
    } else if (start.deadline().isPresent() && start.deadline().get().isExpired()) {
      refuse(method, CallStatuses.LATE_AT_SERVER);
    } else {
      notifyClient(new CallEvent.Ready());
      begin(method.get());
    }
  }

  /** The call was not sent: it continues as another attempt, or ends with that status. */
  private void moveElsewhere(Status why) {
    Optional<RetryTarget> target = client.onNotProcessed(NotProcessed.NOT_SENT, why);
    if (target.isEmpty()) {
      endClient(why);
    } else {
      clientEnded = true;
      movedTo = target.get();
      movedTo.send(ClientStream::flush); // starts it, even before there are commands
    }
  }

  /** The server does not make a call of the request. */
  private void refuse(Optional<? extends ServerMethod<?, ?>> method, Status why) {
    connection.tracing().onRefused(start, method, why);
    endClient(why);
  }

  private <A, B> void begin(ServerMethod<A, B> method) {
    Optional<Deadline> clients = start.deadline();
    OptionalLong leftNanos =
        clients.isPresent()
            ? OptionalLong.of(clients.get().remainingNanos())
            : OptionalLong.empty();
    ServerDeadline deadline = method.limits().deadline(leftNanos, connection.loop()::nanoTime);
    if (deadline.isSet()) {
      timer = connection.loop().schedule(() -> onDeadline(deadline), deadline.remainingNanos());
    }
    singleRequest = method.descriptor().type().clientSendsOneMessage();
    ServerCallEventListener begun =
        connection
            .tracing()
            .begin(start, method, new DirectServerStream<>(this, deadline.deadline()));
    server = begun;
    if (CallAdmission.of(begun) instanceof CallAdmission.Refused refused) {
      fail(refused.status(), refused.trailers());
    } else {
      begun.flush();
    }
  }

  private void onDeadline(ServerDeadline deadline) {
    if (deadline.isClients()) {
      endClient(
          ExceededDeadline.of(
              start.deadline(), "waiting for the response of " + info().remoteAddress()));
      endServer(deadline.lateStatus());
    } else {
      endBoth(deadline.lateStatus());
    }
  }

  @SuppressWarnings("unchecked") // all attempts of a call send the same messages
  private void onCommand(Command<Q> command) {
    Q message = command.message();
    if (movedTo != null) {
      movedTo.send(stream -> command.playTo((ClientStream<Q>) stream));
    } else if (message == null) {
      notifyServer(new CallEvent.HalfClosed());
    } else {
      onRequest(message);
    }
  }

  private void onRequest(Q message) {
    if (client.isTraced() && !clientEnded) {
      client.onMessageSent(0, 0);
    }
    if (singleRequest && singleRequestCame) {
      endBoth(CallStatuses.SECOND_REQUEST);
    } else {
      singleRequestCame = true;
      notifyServer(CallEvent.Message.handed(message, CallEvent.Following.MORE));
    }
  }

  private void onCancel(Status status) {
    if (movedTo != null) {
      movedTo.cancel(status);
    } else if (!clientEnded) {
      endClient(status);
      endServer(CANCELLED);
    } else if (endMayWait) { // behind messages that nobody reads
      endMayWait = false;
      client.add(CallEvent.Closed.atOnce(status));
      client.flush();
    }
  }

  /** The handler has sent headers. */
  void respond(Metadata headers) {
    traceResponse(headers, ServerCallEventListener.NO_MESSAGE);
    notifyClient(new CallEvent.Headers(headers));
  }

  /** The handler has sent a message, after its headers. */
  void respond(CallEvent.Message message) {
    traceResponse(null, message.messageBytes());
    notifyClient(message);
  }

  private void traceResponse(@Nullable Metadata headers, int messageBytes) {
    if (server != null && server.isTraced()) {
      server.onResponseSent(headers, messageBytes, messageBytes);
    }
  }

  /** The handler has answered. */
  void close(Status status, Metadata trailers) {
    answer(status, trailers);
    endServer(Status.OK);
  }

  /** The call is answered, but not by its handler. */
  void fail(Status status, Metadata trailers) {
    answer(status, trailers);
    endServer(status);
  }

  /** The status for the client follows the messages before it. */
  private void answer(Status status, Metadata trailers) {
    if (server != null && server.isTraced()) {
      server.onEndGiven(status, trailers.copy());
    }
    if (!clientEnded) {
      endMayWait = true;
      endClient(CallEvent.Closed.received(status, trailers));
    }
  }

  /** Ends the call at both ends, by neither's doing. */
  void endBoth(Status status) {
    endClient(status);
    endServer(status);
  }

  private void endClient(Status status) {
    endClient(CallEvent.Closed.atOnce(status));
  }

  private void endClient(CallEvent.Closed end) {
    if (!clientEnded) {
      notifyClient(end);
      clientEnded = true;
      removeIfOver();
    }
  }

  private void endServer(Status status) {
    if (!serverEnded) {
      notifyServer(CallEvent.Closed.atOnce(status));
      serverEnded = true;
      removeIfOver();
    }
  }

  private void removeIfOver() {
    if (clientEnded && (serverEnded || server == null)) {
      if (timer != null) {
        timer.cancel();
      }
      connection.remove(this);
    }
  }

  private void notifyClient(CallEvent event) {
    if (!clientEnded) {
      client.add(event);
      client.flush();
    }
  }

  private void notifyServer(CallEvent event) {
    if (server != null && !serverEnded) {
      server.add(event);
      server.flush();
    }
  }

  void flushServer() {
    if (server != null && !serverEnded) {
      server.flush();
    }
  }

  /** Whether the server's end of the call is open. */
  boolean isServed() {
    return !serverEnded;
  }

  void execute(Runnable task) {
    connection.loop().execute(task);
  }

  boolean isOnLoop() {
    return connection.loop().isRunning();
  }

  @Override
  public ConnectionInfo connection() {
    return info();
  }

  ConnectionInfo info() {
    return connection.info();
  }

  MessageEncodings encodings() {
    return connection.encodings();
  }

  String authority() {
    return start.authorityOn(connection);
  }

  CallStart<Q, R> start() {
    return start;
  }

  Backlog toServer() {
    return toServer;
  }

  Backlog toClient() {
    return toClient;
  }

  /** How many messages one side has sent that the other has not taken. */
  static final class Backlog {
    private static final int MOST = 8;

    private final Runnable onShort;
    private int messages;

    Backlog(Runnable onShort) {
      this.onShort = onShort;
    }

    void add() {
      messages++;
    }

    boolean isShort() {
      return messages < MOST;
    }

    void take() {
      if (--messages == MOST - 1) {
        onShort.run();
      }
    }
  }
}
