package dev.gannet.examples.kotlin

import dev.gannet.testing.GannetExtension
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

/** A guestbook and its visitors, all in Kotlin. */
class VisitorTest {
    @JvmField @RegisterExtension val gannet: GannetExtension = GannetExtension.inProcess()

    private lateinit var ada: Visitor

    @BeforeEach
    fun visit() {
        ada = Visitor(gannet.channelTo(MyGuestbook()), "Ada")
    }

    @Test
    fun aBlockingCallReturnsItsResponse() {
        assertThat(ada.sign("one")).isEqualTo(1)
        assertThat(ada.texts()).containsExactly("one")
    }

    @Test
    fun anAsynchronousCallReturnsAFuture() {
        assertThat(ada.signLater("one").join().entries).isEqualTo(1)
    }

    @Test
    fun streamsAreReadAndWritten() {
        assertThat(ada.signAll(listOf("one", "two"))).isEqualTo(2)
        assertThat(ada.replyTo("three")).isEqualTo("two")
        assertThat(ada.texts()).containsExactly("one", "two", "three")
    }

    @Test
    fun aStatusIsAnException() {
        assertThat(ada.sign("")).isNull()
    }

    @Test
    fun theProgramRunsToItsEnd() {
        val console = System.out
        val said = ByteArrayOutputStream()
        System.setOut(PrintStream(said))
        try {
            main()
        } finally {
            System.setOut(console)
        }
        assertThat(said.toString().lines())
            .containsSequence("before: again", "Hello, Hello again, And, again, Goodbye")
    }
}
