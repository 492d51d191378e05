from cloudsim.heat.engine.names import physical_name, short_id
from cloudsim.heat.plugins.group import ResourceGroup, member, member_names, removed_names, replace_index

UUID = "5df5e1a6-65e7-44a4-b8aa-5b6edc1a4709"


class FakeHandle:
    def __init__(self, removed=""):
        self.data = {"name_blacklist": removed} if removed else {}
        self.physical = ""
        self.engine = type("Engine", (), {"stacks": {}})

    def save(self):
        self.saved = True


def test_removed_names_are_never_used_again():
    assert member_names(3, set()) == ["0", "1", "2"]
    assert member_names(3, {"1", "3"}) == ["0", "2", "4"]
    assert member_names(0, {"0"}) == []
    assert removed_names(FakeHandle("1,3")) == {"1", "3"}


def test_a_removal_policy_only_counts_for_members_that_were_there():
    handle = FakeHandle("1")
    ResourceGroup()._remember_removed(handle, [{"resource_list": ["7", 1]}])
    assert removed_names(handle) == {"1"}


def test_the_index_is_replaced_in_values_not_in_keys():
    assert replace_index({"%index%": ["vm-%index%", 5]}, "%index%", "3") == {"%index%": ["vm-3", 5]}


def test_a_members_empty_properties_are_left_out():
    body = {"type": "My::Iom", "properties": {"slot": "%index%", "az": None}, "metadata": None}
    assert member("2", body, "%index%") == {"type": "My::Iom", "properties": {"slot": "2"}}


def test_physical_names():
    assert len(short_id(UUID)) == 12
    name = physical_name("stack", "vm", UUID)
    assert name == f"stack-vm-{short_id(UUID)}"
    cut = physical_name("avery-long-stack-name" * 4, "vm", UUID, limit=53)
    assert len(cut) == 53
    assert cut.startswith("av-")
    assert cut.endswith(short_id(UUID))
