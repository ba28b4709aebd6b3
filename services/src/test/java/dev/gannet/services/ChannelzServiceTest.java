package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import dev.gannet.services.channelz.v1.Channel;
import dev.gannet.services.channelz.v1.ChannelConnectivityState;
import dev.gannet.services.channelz.v1.ChannelTraceEvent;
import dev.gannet.services.channelz.v1.ChannelzClient;
import dev.gannet.services.channelz.v1.GetChannelRequest;
import dev.gannet.services.channelz.v1.GetServerRequest;
import dev.gannet.services.channelz.v1.GetServerSocketsRequest;
import dev.gannet.services.channelz.v1.GetServersRequest;
import dev.gannet.services.channelz.v1.GetSocketRequest;
import dev.gannet.services.channelz.v1.GetSubchannelRequest;
import dev.gannet.services.channelz.v1.GetTopChannelsRequest;
import dev.gannet.services.channelz.v1.GetTopChannelsResponse;
import dev.gannet.services.channelz.v1.Server;
import dev.gannet.services.channelz.v1.Socket;
import dev.gannet.services.channelz.v1.Subchannel;
import dev.gannet.services.test.Book;
import dev.gannet.services.test.Shelf;
import dev.gannet.services.test.Shelves;
import dev.gannet.services.test.ShelvesClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code grpc.channelz.v1.Channelz} shows of a server, over a real connection. */
@Timeout(30)
final class ChannelzServiceTest {
  private static final Book FINE = Book.newBuilder().setTitle("fine").build();
  private static final Book UNWANTED = Book.newBuilder().setTitle("unwanted").build();

  private final ChannelzService service = new ChannelzService();
  private Started started;
  private ChannelzClient channelz;
  private ShelvesClient shelves;

  @BeforeEach
  void start() throws IOException {
    started = Started.with(builder -> builder.add(new Choosy()).add(service));
    channelz = ChannelzClient.of(started.channel());
    shelves = ShelvesClient.of(started.channel());
  }

  @AfterEach
  void stop() {
    started.close();
  }

  private static final class Choosy implements Shelves {
    @Override
    public Shelf put(Book book) {
      if (book.equals(UNWANTED)) {
        throw Status.INVALID_ARGUMENT.asException();
      }
      return Shelf.getDefaultInstance();
    }
  }

  private Server server() {
    return channelz.getServers(GetServersRequest.getDefaultInstance()).getServer(0);
  }

  private Socket socket(long id) {
    return channelz.getSocket(GetSocketRequest.newBuilder().setSocketId(id).build()).getSocket();
  }

  private Socket connection() {
    long server = server().getRef().getServerId();
    return socket(
        channelz
            .getServerSockets(GetServerSocketsRequest.newBuilder().setServerId(server).build())
            .getSocketRef(0)
            .getSocketId());
  }

  private static void assertCode(ThrowingCallable call, Status.Code code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StatusException.class, it -> assertThat(it.status().code()).isEqualTo(code));
  }

  @Test
  void callsAreCountedByHowTheyEnd() {
    shelves.put(FINE);
    shelves.put(FINE);
    assertCode(() -> shelves.put(UNWANTED), Status.Code.INVALID_ARGUMENT);

    Server shown = server(); // by the fourth call, which is under way
    assertThat(shown.getData().getCallsStarted()).isEqualTo(4);
    assertThat(shown.getData().getCallsSucceeded()).isEqualTo(2);
    assertThat(shown.getData().getCallsFailed()).isEqualTo(1);
    assertThat(shown.getData().getLastCallStartedTimestamp().getSeconds()).isPositive();
  }

  @Test
  void aConnectionShowsItsStreamsAndMessages() {
    shelves.put(FINE);
    assertCode(() -> shelves.put(UNWANTED), Status.Code.INVALID_ARGUMENT);

    Socket shown = connection(); // three calls more, the last of them under way
    assertThat(shown.getData().getStreamsStarted()).isEqualTo(5);
    assertThat(shown.getData().getStreamsSucceeded()).isEqualTo(4); // whatever the status
    assertThat(shown.getData().getStreamsFailed()).isZero();
    assertThat(shown.getData().getMessagesReceived()).isEqualTo(5);
    assertThat(shown.getData().getMessagesSent()).isEqualTo(3);
    assertThat(shown.getData().hasLastRemoteStreamCreatedTimestamp()).isTrue();
    assertThat(shown.getData().hasLastMessageReceivedTimestamp()).isTrue();
  }

  @Test
  void aConnectionShowsBothAddresses() {
    Socket shown = connection();

    assertThat(shown.getLocal().getTcpipAddress().getPort()).isEqualTo(started.server().port());
    assertThat(shown.getRemote().getTcpipAddress().getIpAddress().toByteArray())
        .containsExactly(127, 0, 0, 1);
    assertThat(shown.hasSecurity()).isFalse();
  }

  @Test
  void aServerShowsWhereItListens() {
    Server shown = server();

    assertThat(shown.getListenSocketList())
        .singleElement()
        .satisfies(it ->
            assertThat(socket(it.getSocketId()).getLocal().getTcpipAddress().getPort())
                .isEqualTo(started.server().port()));
    assertThat(
            channelz
                .getServer(
                    GetServerRequest.newBuilder().setServerId(shown.getRef().getServerId()).build())
                .getServer()
                .getRef())
        .isEqualTo(shown.getRef());
  }

  @Test
  void pagesStartWithTheRequestedId() {
    long id = server().getRef().getServerId();

    var first =
        channelz.getServers(
            GetServersRequest.newBuilder().setStartServerId(id).setMaxResults(1).build());
    var behind =
        channelz.getServers(GetServersRequest.newBuilder().setStartServerId(id + 1).build());

    assertThat(first.getServerCount()).isOne();
    assertThat(first.getEnd()).isTrue();
    assertThat(behind.getServerCount()).isZero();
    assertThat(behind.getEnd()).isTrue();
  }

  @Test
  void aNegativeNumberOfResultsIsInvalid() {
    assertCode(
        () -> channelz.getServers(GetServersRequest.newBuilder().setMaxResults(-1).build()),
        Status.Code.INVALID_ARGUMENT);
  }

  @Test
  void unknownIdsAreNotFound() {
    assertCode(() -> socket(Long.MAX_VALUE), Status.Code.NOT_FOUND);
    assertCode(
        () -> channelz.getServer(GetServerRequest.newBuilder().setServerId(-1).build()),
        Status.Code.NOT_FOUND);
    assertCode(
        () -> channelz.getChannel(GetChannelRequest.newBuilder().setChannelId(1).build()),
        Status.Code.NOT_FOUND);
    assertCode(
        () -> channelz.getSubchannel(GetSubchannelRequest.newBuilder().setSubchannelId(1).build()),
        Status.Code.NOT_FOUND);
  }

  private GetTopChannelsResponse topChannels() {
    return channelz.getTopChannels(GetTopChannelsRequest.getDefaultInstance());
  }

  private ManagedChannel shownChannel() {
    return ManagedChannel.builder("127.0.0.1", started.server().port())
        .plaintext()
        .add(service)
        .build();
  }

  @Test
  void onlyChannelsThatWereAddedAreShown() {
    assertThat(topChannels().getChannelCount()).isZero();
    assertThat(topChannels().getEnd()).isTrue();
  }

  @Test
  void aChannelIsShownWithItsStateCallsAndEvents() {
    try (ManagedChannel shown = shownChannel()) {
      ShelvesClient.of(shown).put(FINE);
      assertChannelIsShown();
    }
  }

  private void assertChannelIsShown() {
    Channel channel = topChannels().getChannel(0);
    assertThat(topChannels().getChannelCount()).isOne();
    assertThat(channel.getRef().getName()).isEqualTo(channel.getData().getTarget());
    assertThat(channel.getData().getTarget()).contains(":" + started.server().port());
    assertThat(channel.getData().getState().getState())
        .isEqualTo(ChannelConnectivityState.State.READY);
    assertThat(channel.getData().getCallsSucceeded()).isPositive();
    assertThat(channel.getData().getTrace().getEventsList())
        .anyMatch(it -> it.getDescription().contains("READY"))
        .anyMatch(ChannelTraceEvent::hasSubchannelRef)
        .allMatch(it -> it.getSeverity() == ChannelTraceEvent.Severity.CT_INFO);
    long id = channel.getRef().getChannelId();
    assertThat(
            channelz
                .getChannel(GetChannelRequest.newBuilder().setChannelId(id).build())
                .getChannel()
                .getRef())
        .isEqualTo(channel.getRef());
  }

  @Test
  void aChannelRefersToItsSubchannelAndThatToItsConnection() {
    try (ManagedChannel shown = shownChannel()) {
      ShelvesClient.of(shown).put(FINE);
      assertSubchannelAndConnectionAreShown();
    }
  }

  private void assertSubchannelAndConnectionAreShown() {
    Subchannel subchannel =
        channelz
            .getSubchannel(
                GetSubchannelRequest.newBuilder()
                    .setSubchannelId(
                        topChannels().getChannel(0).getSubchannelRef(0).getSubchannelId())
                    .build())
            .getSubchannel();
    assertThat(subchannel.getData().getState().getState())
        .isEqualTo(ChannelConnectivityState.State.READY);
    assertThat(subchannel.getData().getTarget()).contains(":" + started.server().port());
    Socket socket = socket(subchannel.getSocketRef(0).getSocketId());
    assertThat(socket.getRemote().getTcpipAddress().getPort()).isEqualTo(started.server().port());
    assertThat(socket.hasSecurity()).isFalse();
  }

  @Test
  void aChannelThatHasTerminatedIsShownNoMore() {
    try (ManagedChannel other = shownChannel()) {
      assertThat(other.isTerminated()).isFalse();
      assertThat(topChannels().getChannel(0).getData().getState().getState())
          .isEqualTo(ChannelConnectivityState.State.IDLE);
    }
    assertThat(topChannels().getChannelCount()).isZero();
  }

  @Test
  void pagesWithLongEntriesEndBelowTheMessageLimitOfClients() throws Exception {
    String name = "unix:///" + "a".repeat(50_000);
    List<ManagedChannel> channels = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        channels.add(ManagedChannel.builder(name).plaintext().add(service).build());
      }
      Set<Long> shown = new TreeSet<>();
      GetTopChannelsResponse page = topChannels(0);
      while (!page.getEnd()) {
        assertThat(page.getChannelCount()).isPositive();
        page.getChannelList().forEach(it -> shown.add(it.getRef().getChannelId()));
        page = topChannels(shown.stream().max(Long::compare).orElseThrow() + 1);
      }
      page.getChannelList().forEach(it -> shown.add(it.getRef().getChannelId()));
      assertThat(shown).hasSize(100);
    } finally {
      channels.forEach(ManagedChannel::close);
    }
  }

  private GetTopChannelsResponse topChannels(long startId) {
    return channelz.getTopChannels(
        GetTopChannelsRequest.newBuilder().setStartChannelId(startId).build());
  }
}
